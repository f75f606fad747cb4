# wrong: computes and forgets to return (catalogue 43)
# says: your function returns None
def attention_scores(x):
    scores = x @ x.T
