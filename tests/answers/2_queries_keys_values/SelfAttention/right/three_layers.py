class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries = torch.nn.Linear(d_in, d_k, bias=False)
        self.tokeys = torch.nn.Linear(d_in, d_k, bias=False)
        self.tovalues = torch.nn.Linear(d_in, d_v, bias=False)

    def forward(self, x):
        scores = self.toqueries(x) @ self.tokeys(x).transpose(-2, -1)
        return torch.softmax(scores, dim=-1) @ self.tovalues(x)
