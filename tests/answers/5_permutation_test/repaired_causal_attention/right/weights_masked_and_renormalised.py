def repaired_causal_attention(x):
    allowed = causal_mask(len(x))
    scores = x @ x.T / np.sqrt(x.shape[1])
    largest = np.array([scores[i, :i + 1].max() for i in range(len(x))])[:, None]
    e = np.where(allowed, np.exp(np.minimum(scores - largest, 0)), 0)
    return (e / e.sum(axis=1, keepdims=True)) @ x
