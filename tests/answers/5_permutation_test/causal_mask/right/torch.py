def causal_mask(T):
    return torch.ones(T, T).tril().bool().numpy()
