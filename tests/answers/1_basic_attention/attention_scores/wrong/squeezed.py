# wrong: squeeze() makes a number of a single token's score (catalogue 46)
# says: an axis of length 1 was dropped
def attention_scores(x):
    return np.squeeze(x @ x.T)
