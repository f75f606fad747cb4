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
        B, T, _ = x.shape
        shape = (B, T, self.heads, -1)
        q, k, v = self.toqueries(x).view(shape), self.tokeys(x).view(shape), self.tovalues(x).view(shape)
        scores = torch.einsum("bihs,bjhs->bhij", q, k) / math.sqrt(q.shape[-1])
        if self.mask:
            i, j = torch.arange(T)[:, None], torch.arange(T)[None, :]
            scores = scores.masked_fill(j > i, -1e30)
        weights = torch.softmax(scores, dim=-1)
        return self.unifyheads(torch.einsum("bhij,bjhs->bihs", weights, v).flatten(2))
