def smallest_overflow(float_type):
    with np.errstate(over="ignore"):
        return int(np.argmax(np.isinf(np.exp(np.arange(1000).astype(float_type)))))
