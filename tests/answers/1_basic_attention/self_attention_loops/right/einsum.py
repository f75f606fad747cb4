def self_attention_loops(x):
    return np.einsum("ij,jk->ik", attention_weights(x), x)
