# wrong: each weight transposed (catalogue 18)
# says: no mistake that this check knows
def fused_weight(weights):
    return torch.cat([w.T for w in [weights[f'{n}.weight'] for n in ('toqueries', 'tokeys', 'tovalues')]])
