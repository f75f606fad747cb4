"""Exceptions whose own words establish the cause: which words, what they mean for a learner, and what to do next."""

from __future__ import annotations

NO_AXIS = ("Dimension out of range", "out of bounds for array of dimension", "axes don't match array", "number of dims don't match", "repeated axis",
           "is out of bounds for array", "repeated dim")
SHAPES = ("shapes", "matmul", "mat1 and mat2", "batch2 tensor", "broadcast", "size of tensor", "core dimension", "mat2 must be", "vec (",
          "1D tensors expected", "inconsistent tensor size", "same batch")
PRODUCT = ("matmul", "core dimension", "mat1 and mat2", "batch2 tensor", "vec (", "1D tensors expected", "not aligned")
_WORDS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (NO_AXIS,
     "an axis that the array does not have, or not as many axes as it has",
     "count its axes from 0, or from the end with -1"),
    (("out of bounds", "out of range"),
     "an index counts from 0, so the last one is the length minus 1",
     "print the index and the `.shape` of what it is used on: is it the number that you mean, on the axis that you mean?"),
    (("t() expects a tensor with <= 2",),
     "`t()` exchanges the two axes of a matrix, and there are more axes here",
     "use `transpose(-2, -1)`, which exchanges the last two and leaves the others"),
    (("too many indices",),
     "there are more indices than axes",
     "count the axes of what is indexed: its `.shape` says"),
    (("before Module.__init__() call",),
     "the constructor stores something before it calls `super().__init__()`",
     "make `super().__init__()` the first line of the constructor"),
    (("Cannot cast ufunc",),
     "the array on the left holds whole numbers, and an in-place operation cannot put decimals into it",
     "make it with `np.zeros(shape)`, or write `a = a + b` instead of `a += b`"),
    (("not callable",),
     "round brackets call a function, and what stands before them is none",
     "did a line give a function's name another value? Or are square brackets meant, or a `*` or `@` between two factors?"),
    (("'NoneType'",),
     "something in that line is None, as after a function without `return`",
     "print each name of it in the line above"),
    (("not iterable",),
     "several values are needed there, and this is one number",
     "print it: `range(n)` counts up to a number, and a shape is a tuple such as `(T, k)`"),
    (("boolean subtract", "Subtraction, the `-` operator, with"),
     "a minus between truth values is not defined",
     "write `~` for not, and `&` for and"),
    (("ambiguous",),
     "an array stands where Python wants one yes or no: `if`, `while`, `and`, `or`, `not`",
     "compare numbers one by one, or say `.all()` or `.any()`"),
    (("values to unpack",),
     "the left side has another number of names than the right side has values",
     "print the right side; a shape has one number for each axis"),
    (("setting an array element with a sequence", "inhomogeneous"),
     "several numbers are put where one fits, or rows have different lengths",
     "print the shape of what is put in"),
    (("view size is not compatible",),
     "`view` needs numbers that lie in memory in their order; after a transpose they do not",
     "use `reshape`, or `.contiguous()` before `view`"),
    (("same dtype", "expected scalar type", "not implemented for", "can't be cast"),
     "the tensors have different number types, or one that this function does not take",
     "make every new tensor with `dtype=x.dtype`, or convert with `.to(x.dtype)`"),
    (("Unable to allocate",),
     "the result would be larger than the memory",
     "which two axes does that line put side by side? Ask whether you need all pairs"),
    (("cannot reshape", "is invalid for input of size"),
     "the new lengths multiplied are not the number of entries",
     "print the shape before; every length has to come from it"),
    (("must be Tensor, not int", "must be Tensor, not float"),
     "a function of torch got a plain number, and it takes tensors",
     "for one number, write `x ** 0.5` or use `math`"),
    (("must be Tensor, not numpy", "expected np.ndarray (got Tensor)"),
     "torch and NumPy are mixed: a function of one got an array of the other",
     "use one of the two all the way"),
    (("unhashable type",),
     "a dictionary is asked for one key at a time, and a list or an array is no key",
     "loop over the keys, and ask for each"),
    (("positional argument", "keyword argument", "argument 'axis'", "invalid combination of arguments"),
     "the function that is called there takes other arguments",
     "compare them with its `def`, or with its documentation: `help(...)`"),
)
_KINDS: tuple[tuple[type[BaseException], str, str], ...] = (
    (RecursionError, "the function calls itself, and nothing ends it", "another function was meant, or a case in which it stops is missing"),
    (KeyError, "the dictionary has no such key", "print the dictionary's keys and the one that is looked up"),
    (ZeroDivisionError, "the number that is divided by is 0 there", "print it; what makes it 0?"),
    (AssertionError, "an `assert` of your own does not hold", "it says what you expected there; print the values that it compares"),
)


def sentence_for(error: BaseException) -> tuple[str, str] | None:
    """Likely cause and next step, where the exception's own words or kind establish them."""
    text = str(error)
    if not isinstance(error, KeyError):
        for words, likely, next_step in _WORDS:
            if any(word in text for word in words):
                return likely, next_step
    return next(((likely, next_step) for kind, likely, next_step in _KINDS if isinstance(error, kind)), None)
