# wrong: line 1 lost its scale (catalogue 9)
# says: not divided by √k
def repaired_causal_attention(x):
    scores = x @ x.T
    scores = np.where(causal_mask(len(x)), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ x
