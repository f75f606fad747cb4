# wrong: the result of the mask is dropped (catalogue 39, 40)
# says: nothing is masked
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    np.where(causal_mask(len(x)), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ x
