# wrong: 0 times -inf (catalogue 38)
# says: nan or inf
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = scores + ~causal_mask(len(x)) * -np.inf
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ x
