def repaired_causal_attention(x):
    scores = np.where(np.tri(len(x), dtype=bool), np.inner(x, x) / x.shape[1] ** 0.5, -1e300)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e @ x / e.sum(axis=1, keepdims=True)
