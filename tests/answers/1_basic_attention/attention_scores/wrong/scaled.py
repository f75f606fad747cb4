# wrong: scaled when nobody asked (catalogue 14)
# says: the scores were scaled
def attention_scores(x):
    return x @ x.T / np.sqrt(x.shape[1])
