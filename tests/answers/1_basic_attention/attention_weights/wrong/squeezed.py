# wrong: drops the axes of a single token (catalogue 46)
# says: an axis of length 1 was dropped
def attention_weights(x):
    return softmax(attention_scores(x)).squeeze()
