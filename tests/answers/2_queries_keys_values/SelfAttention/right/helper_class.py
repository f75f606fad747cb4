class Projection(torch.nn.Linear):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out, bias=False)


class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = Projection(d_in, d_k), Projection(d_in, d_k), Projection(d_in, d_v)
        self.softmax = torch.nn.Softmax(dim=1)

    def forward(self, x):
        columns = self.softmax(self.tokeys(x) @ self.toqueries(x).permute(0, 2, 1))  # (B, T key, T query)
        return columns.permute(0, 2, 1).contiguous() @ self.tovalues(x)
