# wrong: sorts the words
# says: the words were sorted
def embed(words, vocabulary, table):
    return np.array([table[vocabulary[word]] for word in sorted(words)])
