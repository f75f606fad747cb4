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
    "existing size",
    "core dimension",
    "mat2 must be",
    "vec (",
    "1D tensors expected",
    "inconsistent tensor size",
    "same batch",
)
PRODUCT = ("matmul", "core dimension", "mat1 and mat2", "batch2 tensor", "vec (", "1D tensors expected", "not aligned")
NO_WHOLE_NUMBER = "cannot convert float infinity to integer"
_WORDS: tuple[tuple[tuple[str, ...], str, str, str], ...] = (
    (
        ("must match the existing size",),
        "sentences.slot_of_other_size",
        "the shapes do not fit: a tensor is put into a place, or stretched to a shape, in which one of its axes has another length",
        "write both shapes side by side; only an axis of length 1 can be stretched",
    ),
    (
        ("inconsistent with step sign",),
        "sentences.counts_up_to_less",
        "`arange` is to count up to a number that is smaller than the one where it begins",
        "print both: the second one is where it ends, and does not say how many numbers there are",
    ),
    (
        ("multiply up to the size of dim",),
        "sentences.sizes_of_cut",
        "an axis is cut into sizes that do not multiply up to its length",
        "print both: which number is wrong?",
    ),
    (
        ("invalid data type 'str'",),
        "sentences.text_for_numbers",
        "a text stands where torch takes numbers",
        "which line should make numbers of it first?",
    ),
    (
        ("selected index k out of range",),
        "sentences.top_k_too_large",
        "`topk` is asked for more entries than the axis has",
        "print the length of that axis beside k",
    ),
    (
        ("index out of range in self",),
        "sentences.row_of_embedding",
        "an embedding is asked for a row that its table does not have: a number below 0, or one that is not below the number of rows",
        "print the largest number that you look up, and the number of rows that the constructor was given",
    ),
    (
        ("following scalar types: Long",),
        "sentences.embedding_of_decimals",
        "an embedding looks rows up by whole numbers, and these are decimals",
        "print their `dtype`; which line makes them?",
    ),
    (
        ("Target ",),
        "sentences.target_out_of_bounds",
        "a target is the number of a class, from 0 on, and the logits have fewer classes: for more than two axes, torch takes axis 1 for the classes",
        "flatten both, so that the logits have shape (places, classes) and the targets (places,)",
    ),
    (
        ("Expected target size", "to match target batch_size"),
        "sentences.loss_shapes_differ",
        "`cross_entropy` needs one target for each row of logits, and takes axis 1 of the logits for the classes",
        "flatten both, so that the logits have shape (places, classes) and the targets (places,)",
    ),
    (
        ("expected target dtype", "only applicable to index tensor"),
        "sentences.class_not_integer",
        "the number of a class has to be a whole number, of type int64, and this is another type",
        "print its `dtype`; which line makes it?",
    ),
    (
        ("could not infer output dtype", "only support floating point", "Expected a floating point", "can require gradients"),
        "sentences.needs_decimals",
        "torch computes that only for decimals, and this tensor holds whole numbers or truth values",
        "make it a tensor of decimals before that line: `.float()`, or `dtype=torch.float64`",
    ),
    (
        ("does not require grad and does not have a grad_fn", "appears to not have been used in the graph"),
        "sentences.nothing_to_go_back_to",
        "torch cannot go back from this number to any parameter: it was not computed from one by torch, or what it was computed from was cut off",
        "look for `.item()`, `.detach()`, `.data`, `torch.tensor(...)` and `no_grad` between the parameters and the loss",
    ),
    (
        ("implicitly created only for scalar outputs",),
        "sentences.backward_from_several_numbers",
        "`backward()` begins at one number, and this tensor has several",
        "take their sum or mean first",
    ),
    (
        ("backward through the graph a second time",),
        "sentences.backward_twice",
        "torch goes back through a computation only once, and a part of this one was used before",
        "compute the loss anew in each round; add up numbers with `loss.item()`, not tensors",
    ),
    (
        ("modified by an inplace operation",),
        "sentences.needed_value_overwritten",
        "an in-place operation overwrote a value that `backward()` needs",
        "write `y = y * 2` instead of `y *= 2`, and make new tensors instead of writing into old ones",
    ),
    (
        ("optimizer got an empty parameter list",),
        "sentences.no_parameters",
        "the optimizer was given no parameters: the module has none, or the iterator was used up before",
        "print `list(model.parameters())`; layers have to be attributes of `self`, or stand in an `nn.ModuleList`",
    ),
    (
        ("is not a Module subclass",),
        "sentences.list_holds_no_module",
        "an `nn.ModuleList` or `nn.Sequential` takes modules, and this is something else",
        "print what you put in: is it the layer, or its class, its size, or its result?",
    ),
    (
        ("before Module.__init__() call",),
        "sentences.super_init_missing",
        "a layer is stored before torch has set up the module",
        "make `super().__init__()` the first line of `__init__`",
    ),
    (
        ("as child module", "as parameter"),
        "sentences.layer_overwritten",
        "this name of `self` belongs to a layer or a parameter, and something else is stored under it",
        "give what you compute a name of its own, without `self`",
    ),
    (
        ("math domain error",),
        "sentences.math_domain",
        "the function of `math` has no value there: the logarithm of a number that is not above 0, or the root of one below 0",
        "print the number that goes in",
    ),
    (
        ("could not convert string", "invalid literal for int"),
        "sentences.text_as_number",
        "this text is not a number that Python can read",
        "print it with `repr(...)`: is it the text that you mean?",
    ),
    (
        ("zero-dimensional arrays cannot be concatenated",),
        "sentences.numbers_concatenated",
        "`concatenate` joins arrays, and these are single numbers",
        "make an array of the numbers: `np.array([...])`",
    ),
    (
        ("except for the concatenation axis must match",),
        "sentences.joined_different_lengths",
        "arrays that are joined along one axis need equal lengths along all others",
        "print the shape of each; along which axis should they be joined?",
    ),
    (
        ("expects split_sizes to sum exactly",),
        "sentences.split_sums_to_other_length",
        "the sizes of the pieces have to add up to the length of the axis",
        "print that length beside the sizes; with one number instead of a list, `split` makes pieces of that length",
    ),
    (
        ("axis to squeeze out which has size not equal",),
        "sentences.squeezed_longer_axis",
        "only an axis of length 1 can be removed by `squeeze`, and this one is longer",
        "print the shape: which axis has length 1?",
    ),
    (
        ("length of the desired ordering of dimensions",),
        "sentences.permute_of_other_axes",
        "`permute` takes one number for each axis, and the tensor has more or fewer",
        "print the shape; `transpose(-2, -1)` swaps two axes of any tensor",
    ),
    (
        ("element < 0", "sum of probabilities <= 0", "probabilities do not sum", "probabilities are not non-negative"),
        "sentences.no_probabilities",
        "what is drawn by has to be probabilities: none below 0, no nan, with sum 1",
        "print them; does the softmax come before that line?",
    ),
    (
        ("only supports boolean masks",),
        "sentences.mask_not_boolean",
        "`masked_fill` takes a mask of truth values, and this one holds numbers",
        "make it with a comparison: `mask == 0`",
    ),
    (
        ("used as indices must be long",),
        "sentences.index_of_decimals",
        "an index is a whole number or a truth value, and this tensor holds decimals",
        "print its `dtype`; which line makes it?",
    ),
    (
        ("only one element tensors can be converted",),
        "sentences.tensor_of_tensors",
        "`torch.tensor` makes one tensor of numbers, and these are tensors with several",
        "join them with `torch.stack`",
    ),
    (
        ("cannot be interpreted as an integer", "by non-int of type 'float'"),
        "sentences.count_not_integer",
        "a count has to be a whole number, and this has decimals: `/` gives decimals also where nothing remains",
        "use `//` for a whole number",
    ),
    (
        ("is not an iterator",),
        "sentences.next_of_no_iterator",
        "`next` takes an iterator, and this is something to loop over, such as a list",
        "loop over it with `for`, or make an iterator of it first: `iter(...)`",
    ),
    (
        ("has no len()",),
        "sentences.length_of_number",
        "a single number has no length, and neither has a generator",
        "print it: is it the list or array that you mean?",
    ),
    (
        ("Singular matrix",),
        "sentences.singular_matrix",
        "this matrix has no inverse",
        "does the card ask for one? A transpose is `.T`",
    ),
    (
        ("tril: input tensor", "triu: input tensor"),
        "sentences.triangle_of_vector",
        "`tril` and `triu` need a matrix, and this has one axis",
        "make a table of T rows and T columns first: `torch.ones(T, T)`",
    ),
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
        ("must be a matrix",),
        "sentences.mm_needs_matrices",
        "`mm` only takes two matrices, and one of these has another number of axes",
        "use `@` or `torch.matmul`: they take any number of axes before the last two, and a vector as well",
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
        (NO_WHOLE_NUMBER, "cannot convert float NaN to integer"),
        "sentences.no_whole_number",
        "inf and nan are no whole numbers: an array of whole numbers cannot hold them, and `int` has none for them",
        "where does it come from, and what takes it? An array of decimals holds it: `.astype(float)`",
    ),
    (
        ("Cannot cast ufunc",),
        "sentences.in_place_on_integers",
        "the array that is to take the result, such as `a` in `a += b` or in `out=a`, holds whole numbers: it cannot store decimals",
        "let the operation make a new array, as `a = a + b` does; or give the array decimals where it is made: `dtype=float`",
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
        ("same dtype", "expected scalar type", "to have dtype", "not implemented for", "can't be cast"),
        "sentences.wrong_dtypes",
        "the tensors have different number types, or a type that this function does not take, such as whole numbers",
        "print the `dtype` of each: whole numbers become decimals with `.double()` or `.float()`; else give what you make the type of the input",
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
        "print the shape before that line: how many entries are there, and how many should there be? Which line took or added some?",
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
        "functions call each other deeper than Python goes: either nothing ends it, or this input needs more calls than that",
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
        "an `assert` line fails, one of yours or one of the library that is called",
        "print the values that it compares",
    ),
)


def sentence_for(error: BaseException) -> Cause | None:
    """The cause, where the exception's own words or kind establish it."""
    text = str(error)
    if not isinstance(error, (KeyError, OverflowError)) or text == NO_WHOLE_NUMBER:
        for words, *cause in _WORDS:
            if any(word in text for word in words):
                return Cause(*cause)
    return next((Cause(*cause) for kind, *cause in _KINDS if isinstance(error, kind)), None)
