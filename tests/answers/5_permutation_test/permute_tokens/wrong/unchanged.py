# wrong: shuffles a copy and returns x (catalogue 47)
# says: the rows stand where they stood
def permute_tokens(x, permutation):
    moved = x.copy()
    moved = moved[list(permutation)]
    return x
