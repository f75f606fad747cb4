# wrong: divides with / and returns a float (catalogue 43)
# says: your function returns a number (float)
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    s = k / heads if variant == 'narrow' else k
    return 4 * heads * s * k + k
