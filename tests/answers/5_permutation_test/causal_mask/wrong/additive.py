# wrong: 0 and -inf, to be added (catalogue 34)
# says: nan or inf
def causal_mask(T):
    return np.triu(np.full((T, T), -np.inf), k=1)
