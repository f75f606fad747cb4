def attention_scores(x):
    return np.dot(x, np.transpose(x))
