# wrong: returns the row numbers
# says: your array holds int64
def embed(words, vocabulary, table):
    return np.array([vocabulary[word] for word in words])
