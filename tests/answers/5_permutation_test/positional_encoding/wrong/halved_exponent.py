# wrong: exponent i / k with i the pair
# says: the exponent is i / k
def positional_encoding(T, k):
    result = np.zeros((T, k))
    for t in range(T):
        for i in range(0, k, 2):
            angle = t / 10000 ** (i // 2 / k)
            result[t, i] = np.sin(angle)
            if i + 1 < k:
                result[t, i + 1] = np.cos(angle)
    return result
