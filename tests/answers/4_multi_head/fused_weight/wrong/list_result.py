# wrong: returns a list (catalogue 43)
# says: your function returns list
def fused_weight(weights):
    return [weights[f'{n}.weight'] for n in ('toqueries', 'tokeys', 'tovalues')]
