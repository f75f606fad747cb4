# Right and wrong answers to `parameter_count`; authoring/README.md says how they are written.

# %% right: counts_a_module
def parameter_count(k, heads, variant):
    if variant not in ['narrow', 'wide']:
        raise ValueError("narrow or wide")
    width = {'narrow': k, 'wide': k * heads}[variant]
    layers = [nn.Linear(k, width, bias=False) for _ in range(3)] + [nn.Linear(width, k)]
    return sum(weight.numel() for layer in layers for weight in layer.parameters())

# %% right: dictionary
def parameter_count(k, heads, variant):
    try:
        factor = {'narrow': 1, 'wide': heads}[variant]
    except KeyError:
        raise ValueError(f'no such variant: {variant}')
    return factor * 4 * k ** 2 + k

# %% right: if_else
def parameter_count(k, heads, variant):
    if variant == 'narrow':
        return 4 * k * k + k
    if variant == 'wide':
        return 4 * heads * k * k + k
    raise ValueError("narrow or wide")

# %% right: match
def parameter_count(k, heads, variant):
    match variant:
        case 'narrow': width = k
        case 'wide': width = k * heads
        case other: raise ValueError(other)
    return 3 * k * width + width * k + k

# %% right: numpy_integers
def parameter_count(k, heads, variant):
    sizes = {'narrow': [(k, k)] * 4 + [(k,)], 'wide': [(heads * k, k)] * 4 + [(k,)]}
    if variant not in sizes:
        raise ValueError("narrow or wide")
    return np.sum([np.prod(size) for size in sizes[variant]])

# %% right: own_error_class
class UnknownVariant(ValueError):
    pass


def parameter_count(k, heads, variant):
    if variant == 'wide':
        return k * (4 * heads * k + 1)
    elif variant == 'narrow':
        return k * (4 * k + 1)
    else:
        raise UnknownVariant(variant)

# %% right: per_head
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    s = k // heads if variant == 'narrow' else k
    total = 0
    for _ in range(heads):
        total += 3 * s * k
    return total + (heads * s) * k + k

# %% wrong: bias_everywhere
# wrong: biases for all four
# says: have no bias here
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 4 * (k * k + k) if variant == 'narrow' else 4 * heads * k * k + 3 * heads * k + k

# %% wrong: fixed_width
# wrong: k = 256 is typed in (catalogue 42)
# says: for k = 12
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 4 * 256 ** 2 + 256 if variant == 'narrow' else 4 * heads * 256 ** 2 + 256

# %% wrong: float_result
# wrong: divides with / and returns a float (catalogue 43)
# says: your function returns a number (float)
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    s = k / heads if variant == 'narrow' else k
    return 4 * heads * s * k + k

# %% wrong: key_error
# wrong: KeyError for an unknown variant
# says: raised KeyError
def parameter_count(k, heads, variant):
    return 4 * {'narrow': k, 'wide': heads * k}[variant] * k + k

# %% wrong: narrow_times_heads
# wrong: more heads, more parameters
# says: counted once per head
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 3 * heads * k * k + k * k + k if variant == 'narrow' else 4 * heads * k * k + k

# %% wrong: no_error
# wrong: every other variant counts as wide
# says: raised nothing
def parameter_count(k, heads, variant):
    return 4 * k * k + k if variant == 'narrow' else 4 * heads * k * k + k

# %% wrong: one_role
# wrong: one matrix instead of three
# says: multiply by three
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 2 * k * k + k if variant == 'narrow' else 2 * heads * k * k + k

# %% wrong: prints_instead
# wrong: prints instead of returning (catalogue 43)
# says: your function returns None
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    print(4 * k * k + k)

# %% wrong: sliced
# wrong: head matrices of (k/h, k/h) (catalogue 30)
# says: sliced variant
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 3 * heads * (k // heads) ** 2 + k * k + k if variant == 'narrow' else 4 * heads * k * k + k

# %% wrong: wide_narrow_output
# wrong: wide: output projection of a narrow one (catalogue 30)
# says: reads all heads
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 4 * k * k + k if variant == 'narrow' else 3 * heads * k * k + k * k + k

# %% wrong: without_bias
# wrong: biases not counted
# says: biases of the output projection are not counted
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 4 * k * k if variant == 'narrow' else 4 * heads * k * k

# %% wrong: without_output
# wrong: output projection not counted (catalogue 27)
# says: output projection is not counted
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 3 * k * k if variant == 'narrow' else 3 * heads * k * k
