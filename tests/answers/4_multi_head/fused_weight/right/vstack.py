def fused_weight(weights):
    q, k, v = [weights['to' + role + '.weight'] for role in ('queries', 'keys', 'values')]
    return torch.vstack((q, k, v))
