def multi_head_columns(X, heads, omega_c):
    get = lambda name: np.stack([head[name] for head in heads])
    q, k, v = (np.einsum('hsd,dn->hsn', get(f'omega_{r}'), X) + get(f'beta_{r}') for r in 'qkv')
    scores = np.einsum('hsj,hsi->hji', k, q) / np.sqrt(q.shape[1])
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return omega_c @ np.einsum('hsj,hji->hsi', v, e / e.sum(axis=1, keepdims=True)).reshape(X.shape)
