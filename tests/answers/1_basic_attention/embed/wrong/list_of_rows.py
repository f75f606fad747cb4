# wrong: a list of arrays (catalogue 43)
# says: your function returns list
def embed(words, vocabulary, table):
    return [table[vocabulary[word]] for word in words]
