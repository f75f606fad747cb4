# wrong: scales the scores (catalogue 14)
# says: the scores were scaled
def self_attention_loops(x):
    weights = softmax(x @ x.T / np.sqrt(x.shape[1]))
    return np.array([sum(w * token for w, token in zip(row, x)) for row in weights])
