def attention_entropy(weights):
    w = torch.tensor(weights, dtype=torch.float64)
    return -(torch.xlogy(w, w)).sum(1).numpy()
