def merge_heads(x):
    return torch.stack([torch.hstack(list(heads)) for heads in x])
