# Right and wrong answers to `fused_weight`; authoring/README.md says how they are written.

# %% right: cat
def fused_weight(weights):
    return torch.cat([weights['toqueries.weight'], weights['tokeys.weight'], weights['tovalues.weight']], dim=0)

# %% right: columns_transposed
def fused_weight(weights):
    return torch.hstack([weights[f'{n}.weight'].T for n in ('toqueries', 'tokeys', 'tovalues')]).T

# %% right: filled_in
def fused_weight(weights):
    k = weights['tokeys.weight'].shape[0]
    out = torch.empty(3 * k, k)
    out[:k] = weights['toqueries.weight']
    out[k:2 * k] = weights['tokeys.weight']
    out[2 * k:] = weights['tovalues.weight']
    return out

# %% right: numpy
def fused_weight(weights):
    rows = [weights[name].detach().numpy() for name in ('toqueries.weight', 'tokeys.weight', 'tovalues.weight')]
    return torch.from_numpy(np.concatenate(rows))

# %% right: parameter
def fused_weight(weights):
    parts = weights['toqueries.weight'], weights['tokeys.weight'], weights['tovalues.weight']
    return nn.Parameter(torch.cat(parts))

# %% right: stack_flatten
def fused_weight(weights):
    names = 'toqueries.weight tokeys.weight tovalues.weight'.split()
    return torch.stack([weights[name] for name in names]).flatten(0, 1)

# %% right: vstack
def fused_weight(weights):
    q, k, v = [weights['to' + role + '.weight'] for role in ('queries', 'keys', 'values')]
    return torch.vstack((q, k, v))

# %% wrong: by_place
# wrong: takes the first three of the dict, by place
# says: your code raised RuntimeError
def fused_weight(weights):
    return torch.cat(list(weights.values())[:3])

# %% wrong: each_transposed
# wrong: each weight transposed (catalogue 18)
# says: no mistake that this check knows
def fused_weight(weights):
    return torch.cat([w.T for w in [weights[f'{n}.weight'] for n in ('toqueries', 'tokeys', 'tovalues')]])

# %% wrong: interleaved
# wrong: rows alternate (catalogue 24)
# says: rows of the three weights alternate
def fused_weight(weights):
    return torch.stack([weights[f'{n}.weight'] for n in ('toqueries', 'tokeys', 'tovalues')], dim=1).flatten(0, 1)

# %% wrong: keys_first
# wrong: keys first
# says: keys come before the queries
def fused_weight(weights):
    return torch.cat([weights[f'{n}.weight'] for n in ('tokeys', 'toqueries', 'tovalues')])

# %% wrong: list_result
# wrong: returns a list (catalogue 43)
# says: your function returns list
def fused_weight(weights):
    return [weights[f'{n}.weight'] for n in ('toqueries', 'tokeys', 'tovalues')]

# %% wrong: numpy_result
# wrong: returns a NumPy array (catalogue 43)
# says: returns a NumPy array
def fused_weight(weights):
    return torch.cat([weights[f'{n}.weight'] for n in ('toqueries', 'tokeys', 'tovalues')]).numpy()

# %% wrong: pops
# wrong: takes them out of the dict (catalogue 41)
# says: other values
def fused_weight(weights):
    return torch.cat([weights.pop(f'{n}.weight') for n in ('toqueries', 'tokeys', 'tovalues')])

# %% wrong: queries_only
# wrong: three times the queries (catalogue 15)
# says: no mistake that this check knows
def fused_weight(weights):
    return torch.cat([weights['toqueries.weight']] * 3)

# %% wrong: reads_module
# wrong: takes the weights of another cell's module (catalogue 42)
# says: your code raised NameError
def fused_weight(weights):
    held = module.state_dict()
    return torch.cat([held[f'{n}.weight'] for n in ('toqueries', 'tokeys', 'tovalues')])

# %% wrong: side_by_side
# wrong: joined along axis 1
# says: side by side
def fused_weight(weights):
    return torch.cat([weights[f'{n}.weight'] for n in ('toqueries', 'tokeys', 'tovalues')], dim=1)

# %% wrong: stacked
# wrong: a new axis: (3, k, k)
# says: shape
def fused_weight(weights):
    return torch.stack([weights[f'{n}.weight'] for n in ('toqueries', 'tokeys', 'tovalues')])

# %% wrong: transposed
# wrong: transposed
# says: side by side
def fused_weight(weights):
    return torch.cat([weights[f'{n}.weight'] for n in ('toqueries', 'tokeys', 'tovalues')]).T
