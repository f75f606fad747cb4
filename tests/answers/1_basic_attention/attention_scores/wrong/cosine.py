# wrong: cosine similarity instead of the dot product
# says: brought to length 1
def attention_scores(x):
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    return unit @ unit.T
