def fused_weight(weights):
    return torch.cat([weights['toqueries.weight'], weights['tokeys.weight'], weights['tovalues.weight']], dim=0)
