# wrong: features with features (catalogue 17)
# says: features with features
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))

    def forward(self, x):
        scores = self.toqueries(x).transpose(-2, -1) @ self.tokeys(x)
        return self.tovalues(x) @ torch.softmax(scores, dim=-1)
