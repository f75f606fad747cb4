# wrong: counts rows along the sentence instead of asking the vocabulary
# says: the vocabulary is not used
def embed(words, vocabulary, table):
    return np.array([table[t % len(table)] for t, word in enumerate(words)])
