class UnknownVariant(ValueError):
    pass


def parameter_count(k, heads, variant):
    if variant == 'wide':
        return k * (4 * heads * k + 1)
    elif variant == 'narrow':
        return k * (4 * k + 1)
    else:
        raise UnknownVariant(variant)
