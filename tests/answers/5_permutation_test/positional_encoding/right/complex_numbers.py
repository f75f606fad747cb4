def positional_encoding(T, k):
    i = np.arange((k + 1) // 2)
    turn = np.exp(1j * np.outer(np.arange(T), 10000.0 ** (-2 * i / k)))
    result = np.empty((T, 2 * len(i)))
    result[:, ::2], result[:, 1::2] = turn.imag, turn.real
    return result[:, :k]
