# wrong: a torch tensor (catalogue 43)
# says: your function returns a torch tensor
def causal_mask(T):
    return torch.ones(T, T).tril().bool()
