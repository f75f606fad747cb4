def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    s = k // heads if variant == 'narrow' else k
    total = 0
    for _ in range(heads):
        total += 3 * s * k
    return total + (heads * s) * k + k
