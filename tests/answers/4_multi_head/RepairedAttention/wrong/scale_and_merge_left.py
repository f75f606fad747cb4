# wrong: only the errors are mended (catalogue 11, 23)
# says: both silent faults are still there
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
        queries = split_heads(self.queries(x), self.heads)
        keys = split_heads(self.keys(x), self.heads)
        values = split_heads(self.values(x), self.heads)
        score = queries @ keys.transpose(-2, -1) / k ** 0.5
        weights = torch.softmax(score, dim=-1)
        mixed = weights @ values
        return self.output(mixed.reshape(B, T, k))
