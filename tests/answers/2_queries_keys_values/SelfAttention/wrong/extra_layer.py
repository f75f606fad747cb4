# wrong: an output projection nobody asked for (catalogue 30)
# says: not in the card: out.weight
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))
        self.out = torch.nn.Linear(d_v, d_v, bias=False)

    def forward(self, x):
        return self.out(torch.softmax(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1), dim=-1) @ self.tovalues(x))
