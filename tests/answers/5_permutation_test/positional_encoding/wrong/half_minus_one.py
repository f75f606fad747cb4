# wrong: exponent over (k/2 - 1), as some libraries do (catalogue 48)
# says: no mistake that this check knows
def positional_encoding(T, k):
    result = np.zeros((T, k))
    for t in range(T):
        for i in range(0, k, 2):
            angle = t / 10000 ** (i / max(k - 2, 1))
            result[t, i] = np.sin(angle)
            if i + 1 < k:
                result[t, i + 1] = np.cos(angle)
    return result
