def fused_weight(weights):
    parts = weights['toqueries.weight'], weights['tokeys.weight'], weights['tovalues.weight']
    return nn.Parameter(torch.cat(parts))
