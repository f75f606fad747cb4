# wrong: stores the result as whole numbers (catalogue 43)
# says: cuts off all decimals
def project(x, w):
    return (x @ w).astype(int)
