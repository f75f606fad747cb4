# wrong: keeps the weights of the first call (catalogue 42)
# says: the largest difference
remembered = {}


def self_attention_loops(x):
    if "weights" not in remembered:
        remembered["weights"] = attention_weights(x)
    weights = remembered["weights"]
    y = np.zeros(x.shape)
    for i in range(len(x)):
        for j in range(len(x)):
            y[i] += weights[i, j] * x[j]
    return y
