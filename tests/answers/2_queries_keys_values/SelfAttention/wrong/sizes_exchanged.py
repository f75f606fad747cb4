# wrong: Linear(d_k, d_in): the sizes changed places (catalogue 18)
# says: the sizes of that layer are others than the card's
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(n, d_in, bias=False) for n in (d_k, d_k, d_v))

    def forward(self, x):
        return torch.softmax(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1), dim=-1) @ self.tovalues(x)
