# wrong: transposed
# says: side by side
def fused_weight(weights):
    return torch.cat([weights[f'{n}.weight'] for n in ('toqueries', 'tokeys', 'tovalues')]).T
