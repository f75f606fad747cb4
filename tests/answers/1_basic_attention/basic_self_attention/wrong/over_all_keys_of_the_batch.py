# wrong: one sum over all entries (catalogue 2)
# says: the sum runs over all entries
def basic_self_attention(x):
    scores = x @ x.transpose(1, 2)
    weights = torch.softmax(scores.flatten(), dim=0).view_as(scores)
    return weights @ x
