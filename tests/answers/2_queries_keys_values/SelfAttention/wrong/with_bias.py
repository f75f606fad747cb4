# wrong: the layers have a bias
# says: `nn.Linear` has a bias unless you say `bias=False`
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n) for n in (d_k, d_k, d_v))

    def forward(self, x):
        return torch.softmax(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1), dim=-1) @ self.tovalues(x)
