def self_attention_rows(x, w_query, w_key, w_value):
    y = np.zeros((x.shape[0], w_value.shape[1]))
    for i, token in enumerate(x):
        scores = [np.dot(token @ w_query, other @ w_key) for other in x]
        powers = [np.exp(score - max(scores)) for score in scores]
        for j, other in enumerate(x):
            y[i] += powers[j] / sum(powers) * (other @ w_value)
    return y
