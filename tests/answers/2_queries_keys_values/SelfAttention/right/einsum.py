class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        for name, size in dict(toqueries=d_k, tokeys=d_k, tovalues=d_v).items():
            setattr(self, name, torch.nn.Linear(d_in, size, bias=False))

    def forward(self, x):
        weights = torch.einsum("bik,bjk->bij", self.toqueries(x), self.tokeys(x)).softmax(-1)
        return torch.einsum("bij,bjv->biv", weights, self.tovalues(x))
