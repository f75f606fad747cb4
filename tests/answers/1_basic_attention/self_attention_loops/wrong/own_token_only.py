# wrong: adds x[i] where it should add x[j] (catalogue 15)
# says: gives the input back
def self_attention_loops(x):
    weights = attention_weights(x)
    y = np.zeros(x.shape)
    for i in range(len(x)):
        for j in range(len(x)):
            y[i] += weights[i, j] * x[i]
    return y
