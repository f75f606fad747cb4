# wrong: prepares zeros, works in another variable, returns the zeros
# says: every entry is zero
def self_attention_loops(x):
    weights = attention_weights(x)
    y = np.zeros(x.shape)
    for i in range(len(x)):
        output = np.zeros(x.shape[1])
        for j in range(len(x)):
            output += weights[i, j] * x[j]
    return y
