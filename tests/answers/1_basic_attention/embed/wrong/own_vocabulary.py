# wrong: makes a vocabulary from the sentence (catalogue 42)
# says: the largest difference
def embed(words, vocabulary, table):
    own = {word: row for row, word in enumerate(sorted(set(words)))}
    return np.array([table[own[word] if word in vocabulary else vocabulary[word]] for word in words])
