def merge_heads(x):
    return torch.einsum('bnts->btns', x).flatten(start_dim=2)
