class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)

    def forward(self, x):
        fused = torch.cat([self.queries.weight, self.keys.weight, self.values.weight])
        q, k, v = (torch.stack(part.chunk(self.heads, -1), 1) for part in (x @ fused.T).chunk(3, -1))
        return self.output(torch.cat(((q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ v).unbind(1), -1))
