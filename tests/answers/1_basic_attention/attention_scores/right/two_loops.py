def attention_scores(x):
    T = len(x)
    scores = np.zeros((T, T))
    for query in range(T):
        for key in range(T):
            scores[query, key] = x[query] @ x[key]
    return scores
