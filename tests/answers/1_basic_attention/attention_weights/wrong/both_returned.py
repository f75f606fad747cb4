# wrong: returns scores and weights (catalogue 43)
# says: your function returns tuple
def attention_weights(x):
    scores = attention_scores(x)
    return scores, softmax(scores)
