def fused_weight(weights):
    return torch.hstack([weights[f'{n}.weight'].T for n in ('toqueries', 'tokeys', 'tovalues')]).T
