# wrong: tokens look at the other sequences (catalogue 45)
# says: one long sequence
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))

    def forward(self, x):
        B, T, d_in = x.shape
        x = x.reshape(B * T, d_in)
        return (torch.softmax(self.toqueries(x) @ self.tokeys(x).T, dim=-1) @ self.tovalues(x)).reshape(B, T, -1)
