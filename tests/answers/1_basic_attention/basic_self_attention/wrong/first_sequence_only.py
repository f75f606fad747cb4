# wrong: uses x[0] for every sequence (catalogue 44)
# says: the first sequence is used for all
def basic_self_attention(x):
    weights = torch.softmax(x[0] @ x[0].T, dim=-1)
    return (weights @ x[0]).expand(x.shape).clone()
