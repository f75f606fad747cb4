# wrong: adds unknown words to the vocabulary (catalogue 41)
# says: unknown word 'zebra'
def embed(words, vocabulary, table):
    for word in words:
        vocabulary.setdefault(word, 0)
    return table[[vocabulary[word] for word in words]]
