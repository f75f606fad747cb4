# wrong: subtracts one maximum for all (catalogue 8)
# says: nan or inf
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))

    def forward(self, x):
        scores = self.toqueries(x) @ self.tokeys(x).transpose(-2, -1)
        e = torch.exp(scores - scores.max())
        return e / e.sum(dim=-1, keepdim=True) @ self.tovalues(x)
