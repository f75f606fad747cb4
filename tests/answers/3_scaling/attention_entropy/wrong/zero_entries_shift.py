# wrong: adds a hundredth to avoid the zero (catalogue 50)
# says: it changes the result
def attention_entropy(weights):
    return -(weights * np.log(weights + 0.01)).sum(axis=-1)
