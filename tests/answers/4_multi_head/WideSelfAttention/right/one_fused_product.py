class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.k, self.heads = k, heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        B, T, k = x.shape
        fused = torch.cat([self.toqueries.weight, self.tokeys.weight, self.tovalues.weight])
        q, keys, v = (split_heads(part, self.heads) for part in (x @ fused.T).chunk(3, dim=-1))
        return self.unifyheads(merge_heads(torch.softmax(q @ keys.transpose(2, 3) * k ** -0.5, dim=3) @ v))
