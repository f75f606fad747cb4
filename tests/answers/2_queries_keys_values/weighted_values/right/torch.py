def weighted_values(weights, values):
    w, v = (torch.as_tensor(np.asarray(part, dtype=float)) for part in (weights, values))
    return (w.unsqueeze(-1) * v.unsqueeze(0)).numpy()
