def embed(words, vocabulary, table):
    return np.stack([table[vocabulary[word]] for word in words])
