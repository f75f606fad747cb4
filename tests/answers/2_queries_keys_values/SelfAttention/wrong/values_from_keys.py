# wrong: the keys take the place of the values (catalogue 15)
# says: the largest difference
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))

    def forward(self, x):
        queries, keys, values = self.toqueries(x), self.tokeys(x), self.tokeys(x)
        return torch.softmax(queries @ keys.transpose(-2, -1), dim=-1) @ values
