# wrong: takes the weights of another cell's module (catalogue 42)
# says: your code raised NameError
def fused_weight(weights):
    held = module.state_dict()
    return torch.cat([held[f'{n}.weight'] for n in ('toqueries', 'tokeys', 'tovalues')])
