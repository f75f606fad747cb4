# wrong: softmax over all entries (catalogue 2)
# says: the whole matrix sums to 1.00
def attention_weights(x):
    e = np.exp(x @ x.T - (x @ x.T).max())
    return e / e.sum()
