def attention_scores(x):
    return (x[:, None, :] * x[None, :, :]).sum(axis=2)
