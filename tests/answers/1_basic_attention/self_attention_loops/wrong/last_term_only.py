# wrong: = where += should stand
# says: replaces the output instead of adding
def self_attention_loops(x):
    weights = attention_weights(x)
    y = np.zeros(x.shape)
    for i in range(len(x)):
        for j in range(len(x)):
            y[i] = weights[i, j] * x[j]
    return y
