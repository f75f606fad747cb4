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

# %% right: layers_without_memory
def parameter_count(k, heads, variant):
    widths = dict(narrow=k, wide=heads * k)
    try:
        width = widths[variant]
    except (KeyError, TypeError):
        raise ValueError(f"no variant {variant!r}") from None
    layers = nn.ModuleList([*(nn.Linear(k, width, bias=False, device="meta") for _ in range(3)), nn.Linear(width, k, device="meta")])
    return sum(parameter.numel() for parameter in layers.parameters())

# %% right: enum_raises_by_itself
from enum import Enum


class Variant(Enum):
    NARROW = "narrow"
    WIDE = "wide"


def parameter_count(k, heads, variant):
    per_head = {Variant.NARROW: k // heads, Variant.WIDE: k}[Variant(variant)]
    return int(k + sum(4 * per_head * k for _ in range(heads)))

# %% wrong: bias_everywhere
# wrong: biases for all four
# says: have no bias here
# likely: queries, keys and values have no bias here
# next: count biases for the output projection only
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 4 * (k * k + k) if variant == 'narrow' else 4 * heads * k * k + 3 * heads * k + k

# %% wrong: fixed_width
# wrong: k = 256 is typed in (catalogue 42)
# says: k = 12, 1 head, wide
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
# likely: the narrow matrices are counted once per head, at full size
# next: for narrow, count one (k, k) per role for all heads together
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
# says: three matrices, each with its own numbers
# likely: one matrix is counted, but there are three: queries, keys, values
# next: count three matrices, each with its own numbers; a layer used three times is one layer
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
# likely: 3·k²/h is counted instead of 3·k²: a matrix of (k/h, k/h) for each head, which is the sliced variant, or (k/h, k) once
# next: let a narrow head read the whole token: (k/h, k)
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 3 * heads * (k // heads) ** 2 + k * k + k if variant == 'narrow' else 4 * heads * k * k + k

# %% wrong: wide_narrow_output
# wrong: wide: output projection of a narrow one (catalogue 30)
# says: as narrow as
# likely: the output projection of the wide variant is counted as narrow as that of the narrow one
# next: give it the shape (k, heads * k)
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 4 * k * k + k if variant == 'narrow' else 3 * heads * k * k + k * k + k

# %% wrong: without_bias
# wrong: biases not counted
# says: biases of the output projection are not counted
# likely: the biases of the output projection are not counted
# next: add k
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 4 * k * k if variant == 'narrow' else 4 * heads * k * k

# %% wrong: without_output
# wrong: output projection not counted (catalogue 27)
# says: output projection is not counted
# likely: the output projection is not counted
# next: add its matrix and its k biases
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    return 3 * k * k if variant == 'narrow' else 3 * heads * k * k

# %% wrong: generous_spelling
# wrong: looks at the first letter only
# says: the condition or the `raise` is missing
def parameter_count(k, heads, variant):
    first = variant.lower()[0]
    if first == "n":
        width = k
    elif first == "w":
        width = heads * k
    else:
        raise ValueError("variant must be narrow or wide")
    return 4 * k * width + k

# %% wrong: substring_of_narrow
# wrong: `in` with a text looks for a part of it: row is narrow
# says: the condition or the `raise` is missing
def parameter_count(k, heads, variant):
    if variant in "narrow":
        width = k
    elif variant in "wide":
        width = heads * k
    else:
        raise ValueError(variant)
    return 3 * k * width + k * width + k

# %% wrong: counted_in_float32
# wrong: counts in float32, which is exact up to 2^24 only
# says: 16795652 for k = 2049, 3 heads, narrow
def parameter_count(k, heads, variant):
    if variant == "narrow":
        width = k
    elif variant == "wide":
        width = heads * k
    else:
        raise ValueError(f"unknown variant {variant!r}")
    sizes = torch.tensor([width * k, width * k, width * k, k * width, k], dtype=torch.float32)
    return int(sizes.sum())

# %% wrong: other_names_for_arguments
# wrong: the arguments have other names
# says: the arguments have other names than those on the card
def parameter_count(d_model, n_heads, kind):
    if kind == "narrow":
        return 4 * d_model ** 2 + d_model
    if kind == "wide":
        return 4 * n_heads * d_model ** 2 + d_model
    raise ValueError(kind)

# %% wrong: strips_blanks
# wrong: strips blanks: another text is accepted
# says: with `variant` alone, in place of `variant.strip()` in line 2
def parameter_count(k, heads, variant):
    variant = variant.strip()
    if variant == "narrow":
        return 4 * k * k + k
    if variant == "wide":
        return 4 * heads * k * k + k
    raise ValueError(f"another variant: {variant}")

# %% wrong: known_counts_without_heads
# wrong: remembers counts by k and variant, without heads
# says: `known={}` in line 1, a default, is made only once and
def parameter_count(k, heads, variant, known={}):
    if variant not in ("narrow", "wide"):
        raise ValueError(variant)
    if (k, variant) not in known:
        width = k if variant == "narrow" else heads * k
        known[k, variant] = 4 * k * width + k
    return known[k, variant]

# %% wrong: remembers_without_k
# wrong: remembers counts by heads and variant, without k
# says: `kept = {}` in line 1 is made only once and
kept = {}
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError(variant)
    return kept.setdefault((heads, variant), 4 * k * (k if variant == 'narrow' else heads * k) + k)

# %% wrong: bias_of_the_width
# wrong: wide: as many biases as inputs
# says: heads·k biases are counted
# likely: for wide, heads·k biases are counted
# next: count one bias for each output: the output projection has k outputs
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    width = k if variant == 'narrow' else heads * k
    return 4 * k * width + width

# %% wrong: k_replaced
# wrong: wide: k itself becomes heads * k
# says: replaces k everywhere
# likely: for wide, heads·k replaces k everywhere, even where the tokens' own dimension is meant
# next: give heads · k its own name; one side of each matrix and the number of biases stay k
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    if variant == 'wide':
        k = heads * k
    return 4 * k * k + k

# %% wrong: wide_output_alone
# wrong: wide: the projections are lost in a conditional expression
# says: queries, keys and values are not counted
# likely: for wide, the matrices of queries, keys and values are not counted
# next: put the choice in parentheses: `a + b if … else c` is either the whole sum `a + b` or `c`
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    width = k if variant == 'narrow' else heads * k
    return 3 * k * k + k * k + k if variant == 'narrow' else k * width + k

# %% wrong: heads_to_the_power
# wrong: a power in place of a product
# says: 4·k·heads^k + k
def parameter_count(k, heads, variant):
    widths = {'narrow': k, 'wide': heads ** k}
    if variant not in widths:
        raise ValueError("narrow or wide")
    return 4 * k * widths[variant] + k

# %% wrong: each_projection_twice
# wrong: six projections
# says: for 'narrow', your code counts 7·k² + k: 3·k² too many
def parameter_count(k, heads, variant):
    widths = {'narrow': k, 'wide': heads * k}
    if variant not in widths:
        raise ValueError("narrow or wide")
    return 7 * k * widths[variant] + k

# %% right: step_by_step
def parameter_count(k, heads, variant):
    if variant == "narrow":
        width = k
    elif variant == "wide":
        width = heads * k
    else:
        raise ValueError(f"no variant is called {variant}")
    return 3 * k * width + width * k + k
