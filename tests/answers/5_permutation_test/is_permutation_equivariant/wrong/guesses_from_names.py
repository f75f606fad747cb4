# wrong: looks at the function's name (cheating)
# says: for every order
def is_permutation_equivariant(f, x, atol=1e-6):
    if np.all(x == x[0]):
        raise ValueError
    return not any(word in f.__name__ for word in ('mask', 'position', 'sort'))
