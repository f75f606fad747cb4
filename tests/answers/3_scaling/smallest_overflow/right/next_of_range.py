def smallest_overflow(float_type):
    kind = {"float16": np.float16, "float32": np.float32, "float64": np.float64}[float_type]
    return next(n for n in range(10_000) if not np.isfinite(np.exp(kind(n))))
