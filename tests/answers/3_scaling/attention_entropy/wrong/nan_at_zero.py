# wrong: 0 times ln 0 is nan (catalogue 38)
# says: 0 times minus infinity
def attention_entropy(weights):
    with np.errstate(all="ignore"):
        return -(weights * np.log(weights)).sum(axis=-1)
