# wrong: returns p(1-p) as a vector
# says: an axis was summed away
def softmax_jacobian(p):
    return p * (1 - p)
