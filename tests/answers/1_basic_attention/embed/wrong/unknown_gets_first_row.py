# wrong: dict.get with a default hides unknown words
# says: some row of the table
def embed(words, vocabulary, table):
    return table[[vocabulary.get(word, 0) for word in words]]
