# wrong: looks for the zero on the other side
# says: no mistake that this check knows
def smallest_overflow(float_type):
    n = 0
    while np.exp(np.dtype(float_type).type(-n)) > 0:
        n += 1
    return n
