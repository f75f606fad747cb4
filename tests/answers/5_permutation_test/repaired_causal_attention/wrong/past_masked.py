# wrong: the past is masked, the diagonal is not (catalogue 34)
# says: the past is masked
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(causal_mask(len(x)).T, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ x
