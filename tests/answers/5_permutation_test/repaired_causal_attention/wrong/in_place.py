# wrong: divides x in place (catalogue 41)
# says: in-place operation
def repaired_causal_attention(x):
    x = np.divide(x, x.shape[1] ** 0.25, out=x) if x.dtype.kind == 'f' else x / x.shape[1] ** 0.25
    scores = x @ x.T
    scores = np.where(causal_mask(len(x)), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ x * x.shape[1] ** 0.25
