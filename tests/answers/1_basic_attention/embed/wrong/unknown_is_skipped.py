# wrong: unknown words vanish
# says: unknown words are skipped
def embed(words, vocabulary, table):
    return np.array([table[vocabulary[word]] for word in words if word in vocabulary])
