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
        "sentences.axis_array_many_axes",
        "an axis that the array does not have, or not as many axes as it has",
        "count its axes from 0, or from the end with -1",
    ),
    (
        ("out of bounds", "out of range"),
        "sentences.index_counts_last_length",
        "an index counts from 0, so the last one is the length minus 1",
        "print the index and the `.shape` of what it is used on: is it the number that you mean, on the axis that you mean?",
    ),
    (
        ("does not result in an equal division",),
        "sentences.split_number_cuts_many",
        "`split` with a number cuts into so many parts of one length, and this length does not divide by it",
        "say where to cut, as a list: `np.split(x, [2, 5], axis=1)` cuts before entry 2 and before entry 5",
    ),
    (
        ("t() expects a tensor with <= 2",),
        "sentences.exchanges_axes_matrix_axes",
        "`t()` exchanges the two axes of a matrix, and there are more axes here",
        "use `transpose(-2, -1)`, which exchanges the last two and leaves the others",
    ),
    (("too many indices",), "sentences.indices_axes", "there are more indices than axes", "count the axes of what is indexed: its `.shape` says"),
    (
        ("zero-size array to reduction", "reduction dim to be specified for input.numel() == 0", "is empty"),
        "sentences.numbers_axis_length_largest",
        "there are no numbers in it: an axis of length 0 has no largest one",
        "print its `.shape`; which slice is empty there? `x[:i]` ends before `x[i]`",
    ),
    (
        ("did not contain a loop with signature",),
        "sentences.things_types_go_together",
        "the two things have types that do not go together, such as numbers and text",
        "print the `.dtype` of both, or what they are",
    ),
    (
        ('must be passed as a "sequence"',),
        "sentences.generator_round_brackets_stands",
        "a generator, `... for ...` in round brackets, stands where a list or a tuple is wanted",
        "make a list of it: square brackets around `... for ...`",
    ),
    (
        ("negative integer powers",),
        "sentences.numpy_refuses_negative_powers",
        "NumPy refuses negative powers of whole numbers, since the results are no whole numbers",
        "begin with a decimal number, such as `10000.0 ** -exponent`, or divide",
    ),
    (
        ("ufunc 'invert' not supported", "~ (operator.invert) is only implemented", "bitwise_not"),
        "sentences.turns_truth_values_round",
        "`~` turns truth values round, and these are numbers with decimals",
        "make the array with `dtype=bool`, or compare: `x == 0`",
    ),
    (
        ("boolean negative", "Negation, the `-` operator, on a bool"),
        "sentences.minus_before_truth_values",
        "a minus before truth values is not defined",
        "write `~` before it for not",
    ),
    (
        ("must be a 3D tensor",),
        "sentences.torch_bmm_takes_tensors_three",
        "`torch.bmm` takes tensors of three axes alone, and one of these has another number",
        "write `@` or `torch.matmul`, which take any number of axes before the last two",
    ),
    (
        ("a leaf Variable that requires grad",),
        "sentences.parameter_changed_place_torch",
        "a parameter is changed in place, and torch keeps track of its gradient",
        "make a new tensor of it, such as `w = w * 2`, or put the step in `with torch.no_grad():`",
    ),
    (
        ("Can't call numpy() on Tensor that requires grad",),
        "sentences.tensor_belongs_computation_torch",
        "the tensor belongs to a computation that torch can differentiate, and NumPy cannot take it out of there",
        "stay with torch's functions, or take `.detach()` before `.numpy()`",
    ),
    (
        ("read-only",),
        "sentences.array_left_may_only",
        "the array on the left may only be read: `np.broadcast_to`, `np.diagonal` and some others show numbers of another array",
        "make an array of its own: `.copy()`",
    ),
    (
        ("invalid subscript given", "subscripts", "einsum", "remapped shapes"),
        "sentences.letters_einsum_fit_arrays",
        "the letters of `einsum` do not fit its arrays: one letter for each axis, one length for each letter",
        "write the shape of each array below its letters",
    ),
    (
        ("can only convert an array of size 1", "cannot be converted to Scalar"),
        "sentences.item_float_take_number",
        "`.item()` and `float(...)` take one number alone, and this array has more, or none",
        "print its `.shape`",
    ),
    (
        ("need at least one array", "expects a non-empty TensorList", "at least one array or dtype"),
        "sentences.list_put_together_empty",
        "the list that is put together is empty",
        "does the loop that fills it run at all? Print its length",
    ),
    (
        (
            "dimensions must match exactly",
            "must have same number of dimensions",
            "Sizes of tensors must match",
            "all input arrays must have the same shape",
            "stack expects each tensor to be equal size",
        ),
        "sentences.put_together_different_shapes",
        "what is put together has different shapes",
        "print the shape of each part; all axes but the one along which you join have one length",
    ),
    (
        ("exceptions must derive from BaseException",),
        "sentences.raise_takes_exception_stands",
        "`raise` takes an exception, and here stands something else",
        'write `raise ValueError("...")`',
    ),
    (
        ("Cannot cast ufunc",),
        "sentences.array_left_holds_whole",
        "the array on the left holds whole numbers, and an in-place operation cannot put decimals into it",
        "make it with `np.zeros(shape)`, or write `a = a + b` instead of `a += b`",
    ),
    (
        ("not callable",),
        "sentences.round_brackets_call_function",
        "round brackets call a function, and what stands before them is none",
        "did a line give a function's name another value? Or are square brackets meant, or a `*` or `@` between two factors?",
    ),
    (
        ("'NoneType'",),
        "sentences.something_line_none_after",
        "something in that line is None, as after a function without `return`",
        "print each name of it in the line above",
    ),
    (
        ("not iterable",),
        "sentences.several_values_needed_number",
        "several values are needed there, and this is one number",
        "print it: `range(n)` counts up to a number, and a shape is a tuple such as `(T, k)`",
    ),
    (
        ("boolean subtract", "Subtraction, the `-` operator, with"),
        "sentences.minus_between_truth_values",
        "a minus between truth values is not defined",
        "write `~` for not, and `&` for and",
    ),
    (
        ("ambiguous",),
        "sentences.array_stands_python_wants",
        "an array stands where Python wants one yes or no: `if`, `while`, `and`, `or`, `not`",
        "compare numbers one by one, or say `.all()` or `.any()`",
    ),
    (
        ("values to unpack",),
        "sentences.left_side_another_number",
        "the left side has another number of names than the right side has values",
        "print the right side; a shape has one number for each axis",
    ),
    (
        ("setting an array element with a sequence", "inhomogeneous"),
        "sentences.several_numbers_put_fits",
        "several numbers are put where one fits, or rows have different lengths",
        "print the shape of what is put in",
    ),
    (
        ("view size is not compatible",),
        "sentences.view_needs_numbers_lie",
        "`view` needs numbers that lie in memory in their order; after a transpose they do not",
        "use `reshape`, or `.contiguous()` before `view`",
    ),
    (
        ("same dtype", "expected scalar type", "not implemented for", "can't be cast"),
        "sentences.tensors_different_number_types",
        "the tensors have different number types, or one that this function does not take",
        "make every new tensor with `dtype=x.dtype`, or convert with `.to(x.dtype)`",
    ),
    (
        ("Unable to allocate",),
        "sentences.result_would_larger_memory",
        "the result would be larger than the memory",
        "which two axes does that line put side by side? Ask whether you need all pairs",
    ),
    (
        ("cannot reshape", "is invalid for input of size"),
        "sentences.new_lengths_multiplied_number",
        "the new lengths multiplied are not the number of entries",
        "print the shape before; every length has to come from it",
    ),
    (
        ("must be Tensor, not int", "must be Tensor, not float"),
        "sentences.function_torch_got_plain",
        "a function of torch got a plain number, and it takes tensors",
        "for one number, write `x ** 0.5` or use `math`",
    ),
    (
        ("must be Tensor, not numpy", "expected np.ndarray (got Tensor)", "'numpy.ndarray' and 'Tensor'", "'Tensor' and 'numpy.ndarray'"),
        "sentences.torch_numpy_mixed_function",
        "torch and NumPy are mixed: a function or an operation of one got an array of the other",
        "use one of the two all the way",
    ),
    (
        ("unhashable type",),
        "sentences.keys_dictionary_members_set",
        "keys of a dictionary, members of a set and arguments of a function with a cache have to be unchangeable, and a list or an array is not",
        "ask a dictionary for one key at a time, in a loop; leave out the cache",
    ),
    (
        ("positional argument", "keyword argument", "argument 'axis'", "invalid combination of arguments"),
        "sentences.function_called_takes_other",
        "the function that is called there takes other arguments",
        "compare them with its `def`, or with its documentation: `help(...)`",
    ),
)
_KINDS: tuple[tuple[type[BaseException], str, str, str], ...] = (
    (
        StopIteration,
        "sentences.next_found_nothing",
        "`next(...)` found nothing more",
        "print what it goes through; give `next` a second argument for the case that nothing is there",
    ),
    (
        RecursionError,
        "sentences.function_calls_itself_nothing",
        "the function calls itself, and nothing ends it",
        "another function was meant, or a case in which it stops is missing",
    ),
    (
        OverflowError,
        "sentences.result_larger_largest_number",
        "the result is larger than the largest number of its type, and plain Python raises an error there, where NumPy gives inf",
        "use NumPy's function, such as `np.exp`, or look at the size before you compute",
    ),
    (KeyError, "sentences.dictionary_such_key", "the dictionary has no such key", "print the dictionary's keys and the one that is looked up"),
    (ZeroDivisionError, "sentences.number_divided", "the number that is divided by is 0 there", "print it; what makes it 0?"),
    (
        AssertionError,
        "sentences.assert_own_hold",
        "an `assert` of your own does not hold",
        "it says what you expected there; print the values that it compares",
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
