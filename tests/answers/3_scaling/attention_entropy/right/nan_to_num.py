def attention_entropy(weights):
    with np.errstate(all="ignore"):
        products = np.nan_to_num(weights * np.log(weights))
    return np.abs(-products.sum(-1))
