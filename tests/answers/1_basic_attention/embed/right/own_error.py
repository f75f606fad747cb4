def embed(words, vocabulary, table):
    unknown = [word for word in words if word not in vocabulary]
    if unknown:
        raise KeyError(f"palabra desconocida: {unknown[0]}")
    return np.array([table[vocabulary[word]].tolist() for word in words])
