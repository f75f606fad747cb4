def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores[~causal_mask(len(x))] = -np.inf
    e = np.exp(scores - scores.max(axis=-1)[:, None])
    return np.einsum('ij,jk->ik', e / e.sum(axis=-1)[:, None], x)
