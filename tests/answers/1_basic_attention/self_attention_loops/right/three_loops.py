def self_attention_loops(x):
    w = attention_weights(x)
    T, k = x.shape
    y = [[0.0] * k for _ in range(T)]
    for i in range(T):
        for j in range(T):
            for c in range(k):
                y[i][c] += float(w[i, j] * x[j, c])
    return np.array(y)
