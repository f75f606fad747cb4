# wrong: k = 256 is typed in (catalogue 42)
# says: for k = 12
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 4 * 256 ** 2 + 256 if variant == 'narrow' else 4 * heads * 256 ** 2 + 256
