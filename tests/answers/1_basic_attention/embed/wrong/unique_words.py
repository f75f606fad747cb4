# wrong: leaves out a word that comes again
# says: left out
def embed(words, vocabulary, table):
    return np.array([table[vocabulary[word]] for word in dict.fromkeys(words)])
