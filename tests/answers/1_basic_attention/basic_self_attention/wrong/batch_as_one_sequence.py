# wrong: flattens the batch: tokens look at other sequences (catalogue 45)
# says: treated as one long sequence
def basic_self_attention(x):
    tokens = x.reshape(-1, x.shape[-1])
    return (torch.softmax(tokens @ tokens.T, dim=-1) @ tokens).view_as(x)
