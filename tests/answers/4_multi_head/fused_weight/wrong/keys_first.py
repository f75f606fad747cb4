# wrong: keys first
# says: keys come before the queries
def fused_weight(weights):
    return torch.cat([weights[f'{n}.weight'] for n in ('tokeys', 'toqueries', 'tovalues')])
