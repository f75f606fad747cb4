def self_attention_loops(x):
    weights = attention_weights(x)
    y = np.zeros(x.shape, dtype=float)
    for i in range(len(x)):
        for j in range(len(x)):
            y[i] = y[i] + weights[i][j] * x[j]
    return y
