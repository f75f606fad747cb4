# wrong: weights[j, i] (catalogue 20)
# says: the weights of the column are used
def self_attention_loops(x):
    weights = attention_weights(x)
    y = np.zeros(x.shape)
    for i in range(len(x)):
        for j in range(len(x)):
            y[i] += weights[j, i] * x[j]
    return y
