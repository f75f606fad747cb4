# wrong: nested lists (catalogue 43)
# says: your function returns list
def causal_mask(T):
    return [[j <= i for j in range(T)] for i in range(T)]
