# wrong: a loop that returns the last sequence only
# says: shape
def basic_self_attention(x):
    for sequence in x:
        y = torch.softmax(sequence @ sequence.T, dim=-1) @ sequence
    return y
