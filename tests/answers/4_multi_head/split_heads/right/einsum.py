def split_heads(x, heads):
    B, T, E = x.shape
    return torch.einsum('btns->bnts', x.reshape(B, T, heads, -1))
