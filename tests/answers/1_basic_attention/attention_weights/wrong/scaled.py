# wrong: divides the scores by sqrt(k) when nobody asked (catalogue 14)
# says: the scores were scaled
def attention_weights(x):
    return softmax(attention_scores(x) / np.sqrt(x.shape[1]))
