# wrong: a list that is never emptied
# says: your code raised ValueError
kept = []


def multi_head_columns(X, heads, omega_c):
    for head in heads:
        Q, K, V = (head[f'omega_{r}'] @ X + head[f'beta_{r}'] for r in 'qkv')
        scores = K.T @ Q / np.sqrt(len(Q))
        e = np.exp(scores - scores.max(axis=0))
        kept.append(V @ (e / e.sum(axis=0)))
    return omega_c @ np.vstack(kept)
