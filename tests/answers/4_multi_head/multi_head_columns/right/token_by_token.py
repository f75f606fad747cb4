def multi_head_columns(X, heads, omega_c):
    D, N = X.shape
    result = np.zeros((D, N))
    for i in range(N):
        parts = []
        for head in heads:
            query = head['omega_q'] @ X[:, [i]] + head['beta_q']
            total, mixed, scores = 0, 0, []
            for j in range(N):
                key = head['omega_k'] @ X[:, [j]] + head['beta_k']
                scores.append((query.T @ key).item() / np.sqrt(len(query)))
            for j in range(N):
                share = np.exp(scores[j] - max(scores))
                total += share
                mixed = mixed + share * (head['omega_v'] @ X[:, [j]] + head['beta_v'])
            parts.append(mixed / total)
        result[:, [i]] = omega_c @ np.vstack(parts)
    return result
