def repaired_causal_attention(x):
    T, k = x.shape
    scores = x @ x.T / k ** 0.5 + np.triu(np.full((T, T), -np.inf), 1)
    e = np.exp(scores - scores.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True) @ x
