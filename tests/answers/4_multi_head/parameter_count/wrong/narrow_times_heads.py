# wrong: more heads, more parameters
# says: counted once per head
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 3 * heads * k * k + k * k + k if variant == 'narrow' else 4 * heads * k * k + k
