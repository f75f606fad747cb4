# wrong: squeeze() (catalogue 46)
# says: an axis of length 1 was dropped
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(causal_mask(len(x)), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return np.squeeze(weights @ x)
