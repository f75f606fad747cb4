# wrong: uses the first sequence for all (catalogue 44)
# says: the first sequence is used for all
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))

    def forward(self, x):
        one = x[0]
        y = torch.softmax(self.toqueries(one) @ self.tokeys(one).T, dim=-1) @ self.tovalues(one)
        return y.expand(len(x), *y.shape)
