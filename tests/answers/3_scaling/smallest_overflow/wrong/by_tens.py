# wrong: goes in steps of ten
# says: no mistake that this check knows
def smallest_overflow(float_type):
    n = 0
    while np.isfinite(np.exp(np.dtype(float_type).type(n))):
        n += 10
    return n
