def parameter_count(k, heads, variant):
    if variant == 'narrow':
        return 4 * k * k + k
    if variant == 'wide':
        return 4 * heads * k * k + k
    raise ValueError("narrow or wide")
