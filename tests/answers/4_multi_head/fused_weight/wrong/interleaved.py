# wrong: rows alternate (catalogue 24)
# says: rows of the three weights alternate
def fused_weight(weights):
    return torch.stack([weights[f'{n}.weight'] for n in ('toqueries', 'tokeys', 'tovalues')], dim=1).flatten(0, 1)
