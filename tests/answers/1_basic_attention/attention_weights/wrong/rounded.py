# wrong: rounds to three decimals (catalogue 50)
# says: the numbers were rounded
def attention_weights(x):
    return np.round(softmax(attention_scores(x)), 3)
