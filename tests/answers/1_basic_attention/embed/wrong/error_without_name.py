# wrong: a KeyError that does not say which word
# says: the error is raised with another text
def embed(words, vocabulary, table):
    try:
        return table[[vocabulary[word] for word in words]]
    except KeyError:
        raise KeyError("unknown word") from None
