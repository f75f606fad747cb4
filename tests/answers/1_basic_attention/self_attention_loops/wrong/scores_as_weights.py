# wrong: averages with the scores
# says: averaged with the scores
def self_attention_loops(x):
    weights = attention_scores(x)
    y = np.zeros(x.shape)
    for i in range(len(x)):
        for j in range(len(x)):
            y[i] += weights[i, j] * x[j]
    return y
