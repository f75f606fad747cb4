# wrong: exponentials that overflow for long vectors (catalogue 7)
# says: entries are nan or inf
def basic_self_attention(x):
    e = torch.exp(x @ x.transpose(1, 2))
    return e / e.sum(dim=-1, keepdim=True) @ x
