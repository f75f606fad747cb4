# wrong: wide: output projection of a narrow one (catalogue 30)
# says: reads all heads
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 4 * k * k + k if variant == 'narrow' else 3 * heads * k * k + k * k + k
