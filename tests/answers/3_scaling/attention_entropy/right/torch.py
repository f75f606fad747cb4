def attention_entropy(weights):
    return torch.special.entr(torch.as_tensor(np.asarray(weights, dtype=float))).sum(dim=-1).numpy()
