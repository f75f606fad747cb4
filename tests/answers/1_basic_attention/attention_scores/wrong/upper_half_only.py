# wrong: fills only one half of the symmetric matrix
# says: the largest difference
def attention_scores(x):
    T = x.shape[0]
    scores = np.zeros((T, T))
    for i in range(T):
        for j in range(i, T):
            scores[i, j] = x[i] @ x[j]
    return scores
