# wrong: a single word loses its axis (catalogue 46)
# says: an axis of length 1 was dropped
def embed(words, vocabulary, table):
    return table[[vocabulary[word] for word in words]].squeeze()
