# wrong: ignores the constructor's sizes (catalogue 42)
# says: the sizes of that layer are others than the card's
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(4, 3, bias=False) for _ in range(3))

    def forward(self, x):
        return torch.softmax(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1), dim=-1) @ self.tovalues(x)
