# wrong: for odd k the exponent uses k + 1
# says: for an odd k
def positional_encoding(T, k):
    result = np.zeros((T, k))
    for t in range(T):
        for i in range(0, k, 2):
            angle = t / 10000 ** (i / (k + k % 2))
            result[t, i] = np.sin(angle)
            if i + 1 < k:
                result[t, i + 1] = np.cos(angle)
    return result
