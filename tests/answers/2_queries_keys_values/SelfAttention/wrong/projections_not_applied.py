# wrong: the layers exist and are not used (catalogue 15)
# says: shape (2, 3, 4)
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))

    def forward(self, x):
        return torch.softmax(x @ x.transpose(-2, -1), dim=-1) @ x
