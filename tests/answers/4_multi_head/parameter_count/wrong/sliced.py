# wrong: head matrices of (k/h, k/h) (catalogue 30)
# says: sliced variant
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 3 * heads * (k // heads) ** 2 + k * k + k if variant == 'narrow' else 4 * heads * k * k + k
