# wrong: squeeze() drops the batch of one or the single token (catalogue 46)
# says: an axis of length 1 was dropped
def basic_self_attention(x):
    return (torch.softmax(x @ x.transpose(1, 2), dim=-1) @ x).squeeze()
