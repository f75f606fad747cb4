# wrong: ignores the type (catalogue 42)
# says: computed in float64
def smallest_overflow(float_type):
    n = 0
    while np.isfinite(np.exp(float(n))):
        n += 1
    return n
