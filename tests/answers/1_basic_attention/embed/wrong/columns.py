# wrong: one word per column (catalogue 19)
# says: the axes are in another order
def embed(words, vocabulary, table):
    return table[[vocabulary[word] for word in words]].T
