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
        B, T, k = x.shape
        fused = torch.cat([self.toqueries.weight, self.tokeys.weight, self.tovalues.weight], dim=0)
        q, k_, v = (x @ fused.t()).reshape(B, T, 3, self.heads, k // self.heads).permute(2, 0, 3, 1, 4)
        scores = torch.matmul(q, k_.transpose(-1, -2)) * (k // self.heads) ** -0.5
        if self.mask:
            allowed = torch.tril(torch.ones(1, 1, T, T)) == 1
            scores = torch.where(allowed, scores, torch.tensor(float("-inf")))
        y = torch.matmul(nn.functional.softmax(scores, dim=3), v)
        return self.unifyheads(y.permute(0, 2, 1, 3).contiguous().view(B, T, k))
