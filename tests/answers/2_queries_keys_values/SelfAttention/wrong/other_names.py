# wrong: the layers have other names
# says: missing: tokeys.weight, toqueries.weight, tovalues.weight
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.to_q, self.to_k, self.to_v = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))

    def forward(self, x):
        return torch.softmax(self.to_q(x) @ self.to_k(x).transpose(-2, -1), dim=-1) @ self.to_v(x)
