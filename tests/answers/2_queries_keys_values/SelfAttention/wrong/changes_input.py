# wrong: centres x in place (catalogue 41)
# says: in-place operation
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))

    def forward(self, x):
        y = torch.softmax(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1), dim=-1) @ self.tovalues(x)
        x -= x.mean()
        return y
