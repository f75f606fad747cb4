class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super(SelfAttention, self).__init__()
        self.toqueries = torch.nn.Linear(d_in, d_k, bias=False)
        self.tokeys = torch.nn.Linear(d_in, d_k, bias=False)
        self.tovalues = torch.nn.Linear(d_in, d_v, bias=False)
        for layer in self.children():
            torch.nn.init.xavier_uniform_(layer.weight)

    def forward(self, tokens):
        queries = tokens @ self.toqueries.weight.T
        keys = tokens @ self.tokeys.weight.T
        scores = queries @ keys.mT
        e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
        return (e / e.sum(dim=-1, keepdim=True)) @ (tokens @ self.tovalues.weight.T)
