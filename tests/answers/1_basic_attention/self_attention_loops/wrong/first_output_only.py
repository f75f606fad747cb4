# wrong: returns inside the loop
# says: an axis was summed away
def self_attention_loops(x):
    weights = attention_weights(x)
    for i in range(len(x)):
        y = np.zeros(x.shape[1])
        for j in range(len(x)):
            y += weights[i, j] * x[j]
        return y
