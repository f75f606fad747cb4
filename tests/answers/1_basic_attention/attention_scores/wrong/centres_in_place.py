# wrong: centres the tokens in place first (catalogue 41)
# says: the largest difference
def attention_scores(x):
    x -= x.mean()
    return x @ x.T
