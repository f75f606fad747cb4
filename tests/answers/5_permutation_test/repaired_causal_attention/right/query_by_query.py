def repaired_causal_attention(x):
    out = []
    for i in range(len(x)):
        s = x[:i + 1] @ x[i] / np.sqrt(x.shape[1])
        e = np.exp(s - s.max())
        out.append((e / e.sum()) @ x[:i + 1])
    return np.stack(out)
