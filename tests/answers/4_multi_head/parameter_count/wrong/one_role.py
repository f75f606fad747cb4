# wrong: one matrix instead of three
# says: multiply by three
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 2 * k * k + k if variant == 'narrow' else 2 * heads * k * k + k
