# wrong: writes into its input (catalogue 41)
# says: an in-place operation
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
        score = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5
        weights = torch.softmax(score, dim=-1)
        mixed = weights @ values
        x[:] = 0
        return self.output(mixed.transpose(1, 2).reshape(B, T, k))
