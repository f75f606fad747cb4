def smallest_overflow(float_type):
    # das Ergebnis ist ein np.int64
    return np.ceil(np.log(np.longdouble(np.finfo(float_type).max))).astype(int)
