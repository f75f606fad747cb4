# wrong: adds the encoding to tokens of the notebook (catalogue 42, 48)
# says: your code raised
def positional_encoding(T, k):
    result = np.zeros((T, k))
    for t in range(T):
        for i in range(0, k, 2):
            angle = t / 10000 ** (i / k)
            result[t, i] = np.sin(angle)
            if i + 1 < k:
                result[t, i + 1] = np.cos(angle)
    return tokens + result
