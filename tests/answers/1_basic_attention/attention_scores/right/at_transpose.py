def attention_scores(x):
    return x @ x.T
