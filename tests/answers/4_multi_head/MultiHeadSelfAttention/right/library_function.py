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
        split = lambda t: t.unflatten(-1, (self.heads, -1)).transpose(1, 2)
        q, k, v = split(self.toqueries(x)), split(self.tokeys(x)), split(self.tovalues(x))
        y = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=self.mask)
        return self.unifyheads(y.transpose(1, 2).flatten(-2))
