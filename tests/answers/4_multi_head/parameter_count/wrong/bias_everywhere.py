# wrong: biases for all four
# says: have no bias here
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 4 * (k * k + k) if variant == 'narrow' else 4 * heads * k * k + 3 * heads * k + k
