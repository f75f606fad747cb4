def parameter_count(k, heads, variant):
    match variant:
        case 'narrow': width = k
        case 'wide': width = k * heads
        case other: raise ValueError(other)
    return 3 * k * width + width * k + k
