class SelfAttention(torch.nn.Module):
    """Eine Folge nach der anderen."""

    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries = torch.nn.Linear(d_in, d_k, bias=False)
        self.tokeys = torch.nn.Linear(d_in, d_k, bias=False)
        self.tovalues = torch.nn.Linear(d_in, d_v, bias=False)

    def forward(self, x):
        print("forward", tuple(x.shape))
        return torch.stack([
            torch.softmax(self.toqueries(one) @ self.tokeys(one).T, dim=1) @ self.tovalues(one) for one in x
        ])
