# wrong: three times the queries (catalogue 15)
# says: no mistake that this check knows
def fused_weight(weights):
    return torch.cat([weights['toqueries.weight']] * 3)
