def attention_scores(x):
    return np.einsum("ik,jk->ij", x, x)
