# wrong: returns the row numbers
# says: an axis was summed away|array of integers|your array holds
def embed(words, vocabulary, table):
    return np.array([vocabulary[word] for word in words])
