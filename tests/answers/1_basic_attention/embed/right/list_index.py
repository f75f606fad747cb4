def embed(words, vocabulary, table):
    return table[[vocabulary[w] for w in words]]
