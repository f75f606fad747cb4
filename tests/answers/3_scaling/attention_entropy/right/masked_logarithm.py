def attention_entropy(weights):
    logarithms = np.zeros(weights.shape)
    np.log(weights, out=logarithms, where=weights > 0)
    return -np.einsum("ij,ij->i", weights, logarithms)
