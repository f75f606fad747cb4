# wrong: another error than the contract's
# says: the unknown word 'zebra' raised ValueError
def embed(words, vocabulary, table):
    for word in words:
        if word not in vocabulary:
            raise ValueError(f"unknown word {word}")
    return table[[vocabulary[word] for word in words]]
