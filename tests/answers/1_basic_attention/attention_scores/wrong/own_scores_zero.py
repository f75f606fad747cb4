# wrong: sets each token's score with itself to zero, in a copy
# says: the largest difference
def attention_scores(x):
    scores = (x @ x.T).astype(float)
    np.fill_diagonal(scores, 0)
    return scores
