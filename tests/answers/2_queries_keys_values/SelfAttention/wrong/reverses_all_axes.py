# wrong: permutes the batch away (catalogue 44)
# says: raised RuntimeError
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))

    def forward(self, x):
        return torch.softmax(self.toqueries(x) @ self.tokeys(x).permute(2, 1, 0), dim=-1) @ self.tovalues(x)
