# wrong: returns a NumPy array (catalogue 43)
# says: returns a NumPy array
def fused_weight(weights):
    return torch.cat([weights[f'{n}.weight'] for n in ('toqueries', 'tokeys', 'tovalues')]).numpy()
