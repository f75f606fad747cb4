# wrong: takes the first three of the dict, by place
# says: your code raised RuntimeError
def fused_weight(weights):
    return torch.cat(list(weights.values())[:3])
