# wrong: 0 times ln 0 is nan (catalogue 38)
# says: nan or inf
def attention_entropy(weights):
    with np.errstate(all="ignore"):
        return -(weights * np.log(weights)).sum(axis=-1)
