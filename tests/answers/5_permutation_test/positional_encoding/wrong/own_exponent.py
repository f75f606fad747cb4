# wrong: each column has its own exponent
# says: a wavelength of its own
def positional_encoding(T, k):
    c = np.arange(k)
    angle = np.arange(T)[:, None] / 10000 ** (c / k)
    return np.where(c % 2 == 0, np.sin(angle), np.cos(angle))
