# wrong: output projection not counted (catalogue 27)
# says: output projection is not counted
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 3 * k * k if variant == 'narrow' else 3 * heads * k * k
