class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.k, self.heads = k, heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        q, k, v = (torch.stack(layer(x).chunk(self.heads, -1), 1) for layer in (self.toqueries, self.tokeys, self.tovalues))
        return self.unifyheads(torch.cat(nn.functional.scaled_dot_product_attention(q, k, v).unbind(1), -1))
