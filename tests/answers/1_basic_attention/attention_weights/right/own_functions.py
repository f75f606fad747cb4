def attention_weights(x):
    return softmax(attention_scores(x))
