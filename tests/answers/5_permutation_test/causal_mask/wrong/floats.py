# wrong: ones and zeros (catalogue 43)
# says: your mask holds float64
def causal_mask(T):
    return np.tril(np.ones((T, T)))
