def fused_weight(weights):
    names = 'toqueries.weight tokeys.weight tovalues.weight'.split()
    return torch.stack([weights[name] for name in names]).flatten(0, 1)
