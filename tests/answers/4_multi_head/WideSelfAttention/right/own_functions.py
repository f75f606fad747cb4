class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.k, self.heads = k, heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        q, k, v = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        weights = (q @ k.mT / math.sqrt(self.k)).softmax(-1)
        return self.unifyheads(merge_heads(weights @ v))
