def basic_self_attention(x):
    columns = x.transpose(1, 2)                                   # (B, k, T)
    weights = torch.softmax(columns.transpose(1, 2) @ columns, dim=1)  # keys down, queries across
    return (columns @ weights).transpose(1, 2)
