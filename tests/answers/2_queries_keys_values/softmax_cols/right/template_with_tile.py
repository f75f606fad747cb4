def softmax_cols(data_in):
    # the form of a well-known notebook, with the maximum subtracted
    exp_values = np.exp(data_in - np.tile(data_in.max(axis=0), (data_in.shape[0], 1)))
    denom = np.sum(exp_values, axis=0)
    denom = np.matmul(np.ones((data_in.shape[0], 1)), denom[np.newaxis, :])
    return exp_values / denom
