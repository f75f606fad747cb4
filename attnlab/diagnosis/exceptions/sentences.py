"""Exceptions whose own words establish the cause: which words, what they mean for a learner, and what to do next."""

from __future__ import annotations

from attnlab.diagnosis.cause import Cause

NO_AXIS = (
    "Dimension out of range",
    "out of bounds for array of dimension",
    "axes don't match array",
    "number of dims don't match",
    "repeated axis",
    "is out of bounds for array",
    "repeated dim",
)
SHAPES = (
    "shapes",
    "matmul",
    "mat1 and mat2",
    "batch2 tensor",
    "broadcast",
    "size of tensor",
    "core dimension",
    "mat2 must be",
    "vec (",
    "1D tensors expected",
    "inconsistent tensor size",
    "same batch",
)
PRODUCT = ("matmul", "core dimension", "mat1 and mat2", "batch2 tensor", "vec (", "1D tensors expected", "not aligned")
_WORDS: tuple[tuple[tuple[str, ...], str, str, str], ...] = (
    (
        NO_AXIS,
        "sentences.wrong_axis_or_axes",
        "the array does not have that axis, or has a different number of axes",
        "count its axes from 0, or from the end with -1",
    ),
    (
        ("out of bounds", "out of range"),
        "sentences.index_out_of_range",
        "there is no such index: indices count from 0, so the last one is the length minus 1",
        "print the index, and the length of what you index: is it the number you mean?",
    ),
    (
        ("does not result in an equal division",),
        "sentences.split_not_divisible",
        "`split` with a number cuts into that many equal parts, but the length is not divisible by it",
        "give a list of the places to cut: `np.split(x, [2, 5], axis=1)` cuts before entry 2 and before entry 5",
    ),
    (
        ("t() expects a tensor with <= 2",),
        "sentences.t_of_batch",
        "`t()` swaps the two axes of a matrix, but there are more axes here",
        "use `transpose(-2, -1)`: it swaps the last two axes and leaves the others",
    ),
    (
        ("too many indices",),
        "indexing.too_many_indices",
        "there are more indices than axes",
        "print the `.shape` of the array: it shows how many axes there are",
    ),
    (
        ("zero-size array to reduction", "reduction dim to be specified for input.numel() == 0", "is empty"),
        "sentences.reduction_of_empty",
        "the array is empty: an axis of length 0 has no largest number",
        "print its `.shape`; which slice is empty? `x[:i]` stops before `x[i]`",
    ),
    (
        ("did not contain a loop with signature",),
        "sentences.incompatible_types",
        "the two values have types that do not fit together, such as numbers and text",
        "print both, or their `.dtype`",
    ),
    (
        ('must be passed as a "sequence"',),
        "sentences.generator_for_list",
        "a generator (`... for ...` in round brackets) is used where a list or a tuple is needed",
        "make it a list: put square brackets around `... for ...`",
    ),
    (
        ("negative integer powers",),
        "sentences.negative_integer_power",
        "NumPy refuses negative powers of whole numbers, because the results are not whole numbers",
        "use a decimal number, such as `10000.0 ** -exponent`, or divide",
    ),
    (
        ("ufunc 'invert' not supported", "~ (operator.invert) is only implemented", "bitwise_not"),
        "sentences.invert_of_floats",
        "`~` works on truth values, but these are numbers with decimals",
        "make the array with `dtype=bool`, or compare: `x == 0`",
    ),
    (
        ("boolean negative", "Negation, the `-` operator, on a bool"),
        "sentences.negated_booleans",
        "truth values have no minus",
        "for “not”, write `~` in front",
    ),
    (
        ("must be a 3D tensor",),
        "sentences.bmm_needs_three_axes",
        "`torch.bmm` only takes tensors with three axes, and one of these does not have three",
        "use `@` or `torch.matmul`: they take any number of axes before the last two",
    ),
    (
        ("a leaf Variable that requires grad",),
        "sentences.parameter_changed_in_place",
        "a parameter is changed in place, but torch tracks its gradient",
        "make a new tensor, such as `w = w * 2`, or put the step in `with torch.no_grad():`",
    ),
    (
        ("Given normalized_shape",),
        "sentences.norm_of_other_length",
        "the norm is made for vectors of one length, and the last axis here has another",
        "print the shape: the norm runs over the last axis, which has to hold the components",
    ),
    (
        ("Got unsupported ScalarType",),
        "sentences.type_unknown_to_numpy",
        "NumPy does not know the number type of this tensor",
        "leave NumPy out: use torch functions all the way",
    ),
    (
        ("Can't call numpy() on Tensor that requires grad",),
        "sentences.numpy_without_detach",
        "the tensor belongs to a computation that torch differentiates, so it cannot become a NumPy array",
        "use only torch functions, or call `.detach()` before `.numpy()`",
    ),
    (
        ("read-only",),
        "sentences.read_only_array",
        "the array on the left is read-only: `np.broadcast_to`, `np.diagonal` and some others only show the numbers of another array",
        "make a copy first: `.copy()`",
    ),
    (
        ("invalid subscript given", "subscripts", "einsum", "remapped shapes"),
        "sentences.einsum_letters_mismatch",
        "the letters of `einsum` do not fit its arrays: one letter for each axis, one length for each letter",
        "write the shape of each array beside its letters",
    ),
    (
        ("can only convert an array of size 1", "cannot be converted to Scalar"),
        "things.array_as_number",
        "`.item()` and `float(...)` take a single number, but this array has several, or none",
        "print its `.shape`",
    ),
    (
        ("need at least one array", "expects a non-empty TensorList", "at least one array or dtype"),
        "sentences.joined_empty_list",
        "the list of arrays to join is empty",
        "does the loop that fills the list run at all? Print the length of the list",
    ),
    (
        (
            "dimensions must match exactly",
            "must have same number of dimensions",
            "Sizes of tensors must match",
            "all input arrays must have the same shape",
            "stack expects each tensor to be equal size",
        ),
        "sentences.joined_different_shapes",
        "the arrays to join have different shapes",
        "print the shape of each part; all axes except the one you join along need equal lengths",
    ),
    (
        ("exceptions must derive from BaseException",),
        "sentences.raise_of_non_exception",
        "`raise` needs an exception, but here is something else",
        'write `raise ValueError("...")`',
    ),
    (
        ("Cannot cast ufunc",),
        "sentences.in_place_on_integers",
        "the array on the left holds whole numbers, so an in-place operation cannot store decimals in it",
        "make it with `np.zeros(shape)`, or write `a = a + b` instead of `a += b`",
    ),
    (
        ("not callable",),
        "things.not_callable",
        "round brackets call a function, but the thing before them is not a function",
        "did a line give the name of a function a new value? Or do you mean square brackets, or a `*` or `@` between two factors?",
    ),
    (
        ("'NoneType'",),
        "things.value_is_none",
        "something in that line is None, as after a function without `return`",
        "print each name of that line, on the line above it",
    ),
    (
        ("not iterable",),
        "sentences.number_not_iterable",
        "several values are needed there, but this is one number",
        "print it: `range(n)` counts up to a number, and a shape is a tuple such as `(T, k)`",
    ),
    (
        ("boolean subtract", "Subtraction, the `-` operator, with"),
        "sentences.subtracted_booleans",
        "truth values cannot be subtracted",
        "write `~` for “not” and `&` for “and”",
    ),
    (
        ("ambiguous",),
        "sentences.ambiguous_truth_value",
        "an array is used where Python needs a single yes or no: `if`, `while`, `and`, `or`, `not`",
        "compare numbers one by one, or use `.all()` or `.any()`",
    ),
    (
        ("values to unpack",),
        "sentences.wrong_unpacking_count",
        "the left side has a different number of names than the right side has values",
        "print the right side; a shape has one number per axis",
    ),
    (
        ("setting an array element with a sequence", "inhomogeneous"),
        "sentences.sequence_or_ragged_rows",
        "several numbers are stored where only one fits, or rows have different lengths",
        "print the shape of the right side",
    ),
    (
        ("view size is not compatible",),
        "sentences.view_not_contiguous",
        "`view` needs the numbers in memory in their order; after a transpose they are not",
        "use `reshape`, or `.contiguous()` before `view`",
    ),
    (
        ("same dtype", "expected scalar type", "not implemented for", "can't be cast"),
        "sentences.wrong_dtypes",
        "the tensors have different number types, or a type that this function does not take",
        "make every new tensor with `dtype=x.dtype`, or convert with `.to(x.dtype)`",
    ),
    (
        ("Unable to allocate",),
        "sentences.out_of_memory",
        "the result would be larger than the memory",
        "which two axes does that line combine? Do you need all pairs?",
    ),
    (
        ("cannot reshape", "is invalid for input of size"),
        "sentences.reshape_size_mismatch",
        "the product of the new lengths is not the number of entries",
        "print the shape before that line; take every length from it",
    ),
    (
        ("must be Tensor, not int", "must be Tensor, not float"),
        "sentences.number_for_tensor",
        "a torch function got a plain number, but it takes tensors",
        "for one number, write `x ** 0.5` or use `math`",
    ),
    (
        ("must be Tensor, not numpy", "expected np.ndarray (got Tensor)", "'numpy.ndarray' and 'Tensor'", "'Tensor' and 'numpy.ndarray'"),
        "sentences.torch_numpy_mixed",
        "torch and NumPy are mixed: a function or an operation of one got an array of the other",
        "use only one of the two",
    ),
    (
        ("unhashable type",),
        "sentences.unhashable_type",
        "a list or an array cannot be a key of a dictionary, a member of a set or an argument of a function with a cache: it can change",
        "look up one key at a time, in a loop; remove the cache",
    ),
    (
        ("positional argument", "keyword argument", "argument 'axis'", "invalid combination of arguments"),
        "sentences.wrong_arguments",
        "the function called there takes different arguments",
        "compare them with its `def`, or with its documentation: `help(...)`",
    ),
)
_KINDS: tuple[tuple[type[BaseException], str, str, str], ...] = (
    (
        StopIteration,
        "sentences.next_found_nothing",
        "`next(...)` found no further value",
        "print what it searches; give `next` a second argument for the case that there is nothing",
    ),
    (
        RecursionError,
        "refusals.infinite_recursion",
        "the function calls itself, and nothing ends it",
        "did you mean another function? Or is the case missing in which it stops?",
    ),
    (
        OverflowError,
        "sentences.overflow_error",
        "the result is larger than the largest number of its type: plain Python raises an error, where NumPy gives inf",
        "use NumPy's function, such as `np.exp`, or check the size before you compute",
    ),
    (KeyError, "indexing.missing_key", "the dictionary has no such key", "print the dictionary's keys and the key that you look up"),
    (ZeroDivisionError, "sentences.division_by_zero", "the code divides by 0", "print the divisor; what makes it 0?"),
    (
        AssertionError,
        "sentences.own_assert_fails",
        "one of your own `assert` lines fails",
        "print the values that it compares",
    ),
)


def sentence_for(error: BaseException) -> Cause | None:
    """The cause, where the exception's own words or kind establish it."""
    text = str(error)
    if not isinstance(error, (KeyError, OverflowError)):
        for words, *cause in _WORDS:
            if any(word in text for word in words):
                return Cause(*cause)
    return next((Cause(*cause) for kind, *cause in _KINDS if isinstance(error, kind)), None)
