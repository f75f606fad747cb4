# wrong: biases not counted
# says: biases of the output projection are not counted
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 4 * k * k if variant == 'narrow' else 4 * heads * k * k
