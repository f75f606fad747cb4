def embed(words, vocabulary, table):
    vectors = np.empty((len(words), table.shape[1]))
    for t in range(len(words)):
        vectors[t, :] = table[vocabulary[words[t]], :]
    return vectors
