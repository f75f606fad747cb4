# wrong: softmax over queries (catalogue 1)
# says: no mistake that this check knows
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(causal_mask(len(x)), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=0, keepdims=True))
    weights = e / e.sum(axis=0, keepdims=True)
    return weights @ x
