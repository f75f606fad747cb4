# wrong: divides the scores by their sum (catalogue 4)
# says: the largest difference
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))

    def forward(self, x):
        scores = self.toqueries(x) @ self.tokeys(x).transpose(-2, -1)
        return scores / (scores.sum(dim=-1, keepdim=True) + 1e-6) @ self.tovalues(x)
