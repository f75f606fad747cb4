def softmax_cols(scores):
    result = np.zeros(scores.shape)
    for n in range(scores.shape[1]):
        powers = np.exp(scores[:, n] - max(scores[:, n]))
        result[:, n] = powers / sum(powers)
    return result
