def fused_weight(weights):
    k = weights['tokeys.weight'].shape[0]
    out = torch.empty(3 * k, k)
    out[:k] = weights['toqueries.weight']
    out[k:2 * k] = weights['tokeys.weight']
    out[2 * k:] = weights['tovalues.weight']
    return out
