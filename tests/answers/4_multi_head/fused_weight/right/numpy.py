def fused_weight(weights):
    rows = [weights[name].detach().numpy() for name in ('toqueries.weight', 'tokeys.weight', 'tovalues.weight')]
    return torch.from_numpy(np.concatenate(rows))
