# wrong: masked scores are 0 (catalogue 33)
# says: e to the power 0 is 1
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(causal_mask(len(x)), scores, 0.0)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ x
