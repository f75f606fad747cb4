# wrong: returns the edge itself (catalogue 43)
# says: a whole number
def smallest_overflow(float_type):
    return float(np.log(np.float64(np.finfo(float_type).max)))
