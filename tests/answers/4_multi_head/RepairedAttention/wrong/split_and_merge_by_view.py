# wrong: split by view, too: the faults seem to cancel (catalogue 22, 23)
# says: cut by `view` alone
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)

    def forward(self, x):
        B, T, k = x.shape
        queries = self.queries(x).view(B, self.heads, T, -1)
        keys = self.keys(x).view(B, self.heads, T, -1)
        values = self.values(x).view(B, self.heads, T, -1)
        score = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5
        weights = torch.softmax(score, dim=-1)
        mixed = weights @ values
        return self.output(mixed.reshape(B, T, k))
