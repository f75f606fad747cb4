# wrong: logarithm of base 2
# says: another base
def smallest_overflow(float_type):
    return int(np.ceil(np.log2(float(np.finfo(float_type).max))))
