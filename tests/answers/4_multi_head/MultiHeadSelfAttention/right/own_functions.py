class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads != 0:
            raise ValueError(f"k={k} is not divisible by {heads}")
        self.k, self.heads, self.mask = k, heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        queries, keys, values = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        scores = queries @ keys.mT / math.sqrt(queries.size(-1))
        if self.mask:
            scores = scores + torch.full(scores.shape[-2:], -torch.inf).triu(1)   # added, not filled in
        return self.unifyheads(merge_heads(scores.softmax(dim=-1) @ values))
