# wrong: a token does not see itself, with a finite mask (catalogue 35)
# says: no mistake that this check knows
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(np.tri(len(x), k=-1, dtype=bool), scores, -1e9)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ x
