# wrong: the largest number that still works
# says: is still finite
def smallest_overflow(float_type):
    n = 0
    while np.isfinite(np.exp(np.dtype(float_type).type(n + 1))):
        n += 1
    return n
