def basic_self_attention(x):
    scores = torch.matmul(x, x.mT)
    e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return torch.matmul(e / e.sum(dim=-1, keepdim=True), x)
