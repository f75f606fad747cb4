# wrong: softmax over the queries (catalogue 1)
# says: you normalised over queries
def attention_weights(x):
    return softmax(attention_scores(x), axis=0)
