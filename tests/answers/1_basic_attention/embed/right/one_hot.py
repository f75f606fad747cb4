def embed(words, vocabulary, table):
    one_hot = np.zeros((len(words), len(table)))
    for t, word in enumerate(words):
        one_hot[t, vocabulary[word]] = 1
    return one_hot @ table
