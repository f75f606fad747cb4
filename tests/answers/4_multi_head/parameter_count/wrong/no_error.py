# wrong: every other variant counts as wide
# says: raised nothing
def parameter_count(k, heads, variant):
    return 4 * k * k + k if variant == 'narrow' else 4 * heads * k * k + k
