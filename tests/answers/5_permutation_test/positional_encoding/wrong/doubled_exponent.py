# wrong: exponent 2c / k with c the column
# says: twice the column's number
def positional_encoding(T, k):
    result = np.zeros((T, k))
    for t in range(T):
        for i in range(0, k, 2):
            angle = t / 10000 ** (2 * i / k)
            result[t, i] = np.sin(angle)
            if i + 1 < k:
                result[t, i + 1] = np.cos(angle)
    return result
