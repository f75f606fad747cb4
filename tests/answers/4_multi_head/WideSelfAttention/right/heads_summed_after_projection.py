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
        y = self.unifyheads.bias.expand(B, T, k)
        for n, (wq, wk, wv) in enumerate(zip(*(layer.weight.split(k) for layer in (self.toqueries, self.tokeys, self.tovalues)))):
            weights = torch.softmax((x @ wq.T) @ (x @ wk.T).transpose(1, 2) / k ** 0.5, dim=-1)
            y = y + weights @ (x @ wv.T) @ self.unifyheads.weight[:, n * k:n * k + k].T
        return y
