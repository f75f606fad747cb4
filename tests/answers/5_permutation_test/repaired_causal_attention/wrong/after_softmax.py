# wrong: masks the weights (catalogue 32)
# says: mask acts after the softmax
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    weights = weights * causal_mask(len(x))
    return weights @ x
