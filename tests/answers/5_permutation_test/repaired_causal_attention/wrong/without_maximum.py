# wrong: exponentials that overflow (catalogue 7)
# says: nan or inf
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(causal_mask(len(x)), scores, -np.inf)
    e = np.exp(scores)
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ x
