# wrong: the past is masked (catalogue 34, 35)
# says: the last query has no key left
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(causal_mask(len(x)), -np.inf, scores)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ x
