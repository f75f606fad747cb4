# wrong: stores the scores in 8-bit integers: large scores wrap around (catalogue 43)
# says: your array holds int8
def attention_scores(x):
    return (x @ x.T).astype(np.int8)
