def smallest_overflow(float_type):
    low, high = 0, 1000
    while high - low > 1:
        middle = (low + high) // 2
        if np.isinf(np.exp(np.array(middle, dtype=float_type))):
            high = middle
        else:
            low = middle
    return high
