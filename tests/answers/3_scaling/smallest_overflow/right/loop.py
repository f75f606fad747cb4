def smallest_overflow(float_type):
    n = 0
    while not np.isinf(np.exp(np.dtype(float_type).type(n))):
        n += 1
    return n
