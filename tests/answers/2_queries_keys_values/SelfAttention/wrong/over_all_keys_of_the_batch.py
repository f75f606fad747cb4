# wrong: one softmax for a whole sequence (catalogue 2)
# says: the softmax runs over all entries
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))

    def forward(self, x):
        scores = self.toqueries(x) @ self.tokeys(x).transpose(-2, -1)
        return torch.softmax(scores.flatten(1), dim=1).view_as(scores) @ self.tovalues(x)
