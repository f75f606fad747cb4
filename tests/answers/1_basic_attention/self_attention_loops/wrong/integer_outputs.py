# wrong: adds into an array of the input's type: integers are cut off (catalogue 43)
# says: array of integers
def self_attention_loops(x):
    weights = attention_weights(x)
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = sum(weights[i, j] * x[j] for j in range(len(x)))
    return y
