"""What one result shows by itself: None, its form, type and shape, numbers that are not finite, how far off it is."""

from __future__ import annotations

import ast
import contextlib
import inspect
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy, is_number, kind_of, same_numbers
from attnlab.diagnosis.cause import Cause, Certainty, Diagnosis, unknown
from attnlab.diagnosis.results.ranges import explain_too_large, is_finite, made_zero
from attnlab.diagnosis.text.expressions import called, given_once
from attnlab.diagnosis.text.operations import Operation
from attnlab.diagnosis.text.source import Place, cell_of, place_now, source_of
from attnlab.reference import Case

TOLERANCE = {"float64": 1e-5, "float32": 1e-4}  # float64: what was computed in float32 and converted is right to so many digits
LOOK = "open *Worked by hand* in the card and compare number by number"


def close(result: np.ndarray, expected: np.ndarray, rtol: float = 1e-6) -> bool:
    """Equal shapes and, number by number, equal up to `rtol`.

    Numbers that are small beside the largest one may be what is left of a sum of large terms, so a hundredth of `rtol` of the largest
    is forgiven everywhere.
    """
    largest = np.abs(expected[np.isfinite(expected)]).max(initial=1.0)
    return result.shape == expected.shape and bool(np.allclose(result, expected, rtol=rtol, atol=rtol * 1e-2 * largest))


def tolerance_of(result: Any, case: Case) -> float:
    """The relative difference that is only rounding: as coarse as the coarser of the two number types."""
    return case.forgiving * (case.tolerance or max(TOLERANCE.get(str(as_numpy(array).dtype), 1e-5) for array in (result, case.expected)))


def same_value(result: Any, value: Any, case: Case) -> bool:
    """Whether a result is a known value: the same form, shape and numbers, nan and inf in the same places."""
    if isinstance(value, (tuple, list)) or isinstance(result, (tuple, list)):
        if not (isinstance(value, (tuple, list)) and isinstance(result, (tuple, list)) and len(value) == len(result)):
            return False
        expected = case.expected if isinstance(case.expected, tuple) and len(case.expected) == len(value) else value
        return all(same_value(*pair) for pair in zip(result, value, (replace(case, expected=part) for part in expected)))
    if isinstance(value, str) or isinstance(result, str) or value is None or result is None:
        return result is value or (isinstance(result, str) and isinstance(value, str) and result == value)
    try:
        given = as_numpy(result), as_numpy(value)
        got, known = (one.astype(float) for one in given)
    except (TypeError, ValueError):
        return False
    if all(one.dtype.kind in "iu" for one in given):  # whole numbers are equal, or they are not
        return np.array_equal(*given)
    if got.shape != known.shape or not np.array_equal(np.isfinite(got), np.isfinite(known)):
        return False
    rtol = max(tolerance_of(result, case), 1e-5)
    return close(np.where(np.isfinite(got), got, 0), np.where(np.isfinite(known), known, 0), rtol)


def is_same(before: Any, after: Any) -> bool:
    """Whether nothing in an argument has changed."""
    if isinstance(before, (list, tuple)):
        return len(before) == len(after) and all(map(is_same, before, after))
    if isinstance(before, dict):
        return before.keys() == after.keys() and all(is_same(before[key], after[key]) for key in before)
    if hasattr(before, "shape"):
        return same_numbers(before, after)
    return before == after


def explain_difference(result: Any, case: Case) -> Diagnosis | None:
    """None when `result` is what the case expects; otherwise how far off it is."""
    if kind_of(case.expected) not in ("numpy", "torch") and not is_number(case.expected):
        return (
            None
            if result == case.expected
            else Diagnosis(
                f"{result!r}{_for(case)}",
                repr(case.expected),
                unknown("form.other_value", "read the rule on the card again, and follow it by hand for this input"),
            )
        )
    got, wanted = as_numpy(result).astype(float), as_numpy(case.expected).astype(float)
    if result == case.expected if isinstance(case.expected, int) else close(got, wanted, tolerance_of(result, case)):  # a count is exact
        return None
    return Diagnosis(*_largest_difference(got, wanted, case), unknown("form.other_numbers", LOOK))


def _largest_difference(got: np.ndarray, wanted: np.ndarray, case: Case) -> tuple[str, str]:
    """What there is at one place, and what there should be."""
    if not got.shape:
        return f"{_number(got)}{_for(case)}", _number(wanted)
    first = f"for {case.label}, " if case.label else ""
    if case.shape:
        wrong = np.mean(~np.isclose(got, wanted, rtol=1e-5, atol=1e-7))
        return f"{first}{wrong:.0%} of a sample of {got.size} entries are wrong", "all of them right"
    place = np.unravel_index(np.argmax(np.abs(got - wanted)), got.shape)
    where = ", ".join(str(int(index)) for index in place)
    right = int(np.isclose(got, wanted, rtol=1e-5, atol=1e-7).sum())
    share = f"; {right} of {got.size} right" if right else ""
    digits = next((digits for digits in (4, 6, 8) if f"{got[place]:.{digits}g}" != f"{wanted[place]:.{digits}g}"), 12)
    return f"{first}yours is {got[place]:.{digits}g} at [{where}]{share}", f"{wanted[place]:.{digits}g}"


def _number(value: np.ndarray) -> str:
    """One number; whole ones with all their digits."""
    return f"{value:.0f}" if value == np.trunc(value) and abs(value) < 1e15 else f"{value:.6g}"


KINDS = {"numpy": "a NumPy array", "torch": "a torch tensor"}
NAMES = {**KINDS, "int": "a whole number (int)", "float": "a number (float)"}
CONVERT = {"numpy": "`np.array(...)` at the end", "torch": "torch functions all the way, or `torch.stack(...)` at the end"}


def explain_type(result: Any, expected: Any) -> Diagnosis | None:
    """None when `result` is the kind of array that `expected` is, with a float type where that has one."""
    wanted, got = kind_of(expected), kind_of(result)
    if is_number(expected) and is_number(result) and (isinstance(expected, float) or as_numpy(result).dtype.kind in "iu"):
        return None
    if wanted not in KINDS:
        return (
            None
            if type(result) is type(expected)
            else Diagnosis(
                f"your function returns {type_in_words(result)}",
                type_in_words(expected),
                Cause("form.wrong_result_type", "the result is not of the type that the card says", "read the line `returns` of the card again"),
            )
        )
    if result is None:  # one of several parts: who returns nothing at all is told so before
        return Diagnosis(
            "your function returns None",
            KINDS[wanted],
            Cause(
                "form.none_returned",
                "what stands at this place behind `return` is None",
                "which line gives it a value, and does your function get there before it returns?",
            ),
        )
    if got != wanted:
        beside = _shape_beside(result, expected) if got == "list" else ""
        parts = f" of {len(result)} parts{beside}" if isinstance(result, (tuple, list)) else ""
        likely = f"the result is {type_in_words(result)}{parts}; the card wants one array" if parts else f"the result is not {KINDS[wanted]}"
        convert = "return only the one array" if got == "tuple" else f"use {CONVERT[wanted]}"
        if beside:
            convert = "make one array of the shape on the card; in a loop, `append` keeps rows separate, and `extend` joins them"
        return Diagnosis(f"your function returns {type_in_words(result)}", KINDS[wanted], Cause("form.wrong_array_type", likely, convert))
    if wanted == "numpy" and isinstance(result, np.ndarray) and type(result) is not np.ndarray:
        name = type(result).__name__
        return Diagnosis(
            f"your function returns a {name}",
            "a NumPy array",
            Cause(
                "form.subclass_of_array",
                f"a {name} is a kind of array with rules of its own",
                "use plain arrays all the way, or `np.array(...)` at the end",
            ),
        )
    if as_numpy(expected).dtype.kind == "f" and as_numpy(result).dtype.kind != "f":
        observed, right = f"your array holds {as_numpy(result).dtype}", "decimals, such as float64"
        if wanted == "torch":
            observed, right = _of_tensors(result, expected)
        return Diagnosis(observed, right, _why_no_decimals(result, expected))
    if as_numpy(result).dtype == np.float16:
        return Diagnosis(
            "your array holds float16",
            "float32 or float64",
            Cause("form.float16_result", "float16 keeps only three digits of a number", "leave the type as NumPy makes it"),
        )
    if wanted == "torch" and result.dtype != expected.dtype:
        mine = str(result.dtype).removeprefix("torch.")
        return Diagnosis(
            *_of_tensors(result, expected),
            Cause(
                "form.other_tensor_type", f"the type changed on the way: somewhere a tensor of {mine} is made, or a result is converted", WHICH_TYPE
            ),
        )
    return None


WHICH_TYPE = "print the `dtype` after each line; give what you create the type of the input: `dtype=x.dtype`"


def _of_tensors(result: Any, expected: Any) -> tuple[str, str]:
    """The type of a tensor, and the expected one."""
    mine, right = (str(tensor.dtype).removeprefix("torch.") for tensor in (result, expected))
    return f"your tensor holds {mine}", f"{right}, as on the card"


def type_in_words(value: Any) -> str:
    """What a value is called in a message: "a list", "a NumPy array"."""
    kind = kind_of(value)
    if value is None:
        return "None"
    if isinstance(value, np.generic):
        return f"a single NumPy value ({type(value).__name__})"
    return NAMES.get(kind, f"{'an' if kind[0].lower() in 'aeiou' else 'a'} {kind}")


def _shape_beside(result: Any, expected: Any) -> str:
    """The shape that a list would have as an array, where that is another one than the card's."""
    try:
        shape = np.shape(np.array(result, dtype=float))
    except Exception:  # parts of several shapes, tensors with gradients, other things
        return ""
    return "" if shape == np.shape(expected) else f"; as an array it has shape {shape}, not {np.shape(expected)}"


def _why_no_decimals(result: Any, expected: Any) -> Cause:
    got, wanted = as_numpy(result), as_numpy(expected)
    if got.dtype.kind == "b":
        return Cause(
            "form.boolean_result",
            "the result holds truth values, as a comparison gives",
            "which line compares? `.float()` makes 1 and 0 of truth values, and `torch.where(condition, a, b)` chooses by them"
            if hasattr(result, "detach")
            else "which line compares? `np.where(condition, a, b)` chooses by a condition",
        )
    if got.dtype.kind == "O":
        kinds = sorted({type(entry).__name__ for entry in got.ravel()})
        if kinds == ["generator"]:
            return Cause(
                "expressions.array_of_generator",
                "the array holds a generator: `np.array(...)` does not run it",
                "put square brackets around it: `np.array([... for ...])`",
            )
        if all(isinstance(entry, (int, float, np.number)) for entry in got.ravel()):
            return Cause(
                "form.object_array",
                "its entries are numbers, but NumPy holds them as Python objects: `dtype=object`, `frompyfunc` and lists of unequal kinds give that",
                "make decimals of it: `.astype(float)`",
            )
        return Cause("form.object_array", f"the array does not hold numbers but {' and '.join(kinds[:3])}", "print what you make it from")
    has_decimals = bool((wanted != np.trunc(wanted)).any())
    cut = has_decimals and got.dtype.kind in "iu" and got.shape == wanted.shape and np.array_equal(got, np.trunc(wanted))
    which = "which line makes it? An array made from whole numbers, `zeros_like` of such an array and `dtype=int` keep no decimals"
    if hasattr(result, "detach") and not cut:
        which = "which line makes it? `one_hot`, `argmax`, `tensor([0, 1])` and `dtype=int` give whole numbers; `.float()` makes decimals of them"
    return Cause("form.decimals_cut_off", "an array of whole numbers cut off the decimals", which) if cut else unknown("form.integer_array", which)


def explain_shape(result: Any, case: Case) -> Diagnosis | None:
    """None when the shape is right; otherwise how it is different."""
    wanted, got = np.shape(as_numpy(case.expected)), np.shape(as_numpy(result))
    if wanted == got:
        return None
    return Diagnosis(
        f"shape {got}{_for(case)}{_given(case)}",
        f"shape {wanted}",
        _shape_cause(wanted, got, [argument for argument in case.arguments if hasattr(argument, "shape")]),
    )


def _given(case: Case) -> str:
    shapes = [f"{tuple(argument.shape)}" for argument in case.arguments if hasattr(argument, "shape")]
    return f"{',' if case.label else ' for'} an input of shape {shapes[0]}" if len(shapes) == 1 else ""


def _for(case: Case) -> str:
    """The input, behind what is told of it; "" where the headline names it already."""
    return f" for {case.label}" if case.label else ""


def _shape_cause(wanted: tuple, got: tuple, arrays: list[Any]) -> Cause:
    """What the two shapes alone tell: a pattern, never a cause."""
    lines = "write the shape of each line's result in a comment; which one is not what you expected?"
    if len(got) < len(wanted) and tuple(length for length in wanted if length != 1) == got:
        return Cause(
            "form.length_one_axis_missing",
            "an axis of length 1 is missing: an index, `squeeze` or a sum without `keepdims=True` removes one, and so does a maximum",
            "which line removes it, and is that axis the right one? `keepdims=True` or a slice `i:i+1` keeps an axis",
        )
    if sorted(got) == sorted(wanted):
        return Cause("form.axes_in_other_order", "the axes have the right lengths, but in a different order", lines)
    if len(got) != len(wanted):
        if len(got) == 2 * len(wanted) and any(got == 2 * tuple(given.shape) for given in arrays):
            return Cause(
                "form.axes_doubled",
                "the result has the axes of the input twice: an outer product gives that, and so does a shape such as `x.shape * 2`",
                lines,
            )
        return Cause(
            "form.wrong_number_of_axes", f"the result has {'one axis' if len(got) == 1 else f'{len(got)} axes'}; the card has {len(wanted)}", lines
        )
    return Cause(
        "form.wrong_length", "an axis of the result has the wrong length; this check does not know which line makes it", lines, Certainty.HINT
    )


def explain_form(result: Any, case: Case) -> Diagnosis | None:
    """None when `result` is a tuple or list with as many parts as expected, or when one value is expected."""
    if not isinstance(case.expected, tuple):
        return None
    count, names = len(case.expected), ", ".join(case.parts)
    expected = f"{count} arrays in this order: {names}"
    if not isinstance(result, (tuple, list)):
        return Diagnosis(
            f"your function returns {type_in_words(result)}",
            expected,
            Cause(
                "form.parts_missing_or_joined",
                "a part is missing, or the parts were joined into one array",
                f"end the function with `return {names}`",
            )
            if kind_of(result) in KINDS
            else Cause("form.parts_in_something_else", "the parts have to come one by one, in this order", f"end the function with `return {names}`"),
        )
    if len(result) != count:
        return Diagnosis(
            f"your function returns {len(result)} parts",
            expected,
            Cause(
                "form.wrong_number_of_parts",
                f"the function returns too {'many' if len(result) > count else 'few'} parts",
                f"end the function with `return {names}`",
            ),
        )
    return None


def part_by_part(explain: Callable[[Any, Case], Diagnosis | None], result: Any, case: Case) -> Diagnosis | None:
    """What `explain` finds in the result, or in the first part of it that is not right."""
    if not isinstance(case.expected, tuple):
        return explain(result, case)
    for place, name in enumerate(case.parts):
        found = explain(result[place], _part(case, place))
        if found:
            return replace(found, observed=f"part `{name}`: {found.observed}")
    return None


def _part(case: Case, place: int) -> Case:
    """The case as it looks for one part alone."""
    mistakes = [
        replace(mistake, value=mistake.value[place])
        for mistake in case.mistakes
        if isinstance(mistake.value, tuple) and len(mistake.value) == len(case.expected)
    ]
    return replace(case, expected=case.expected[place], mistakes=mistakes, parts=(), shape=case.shape and case.shape[place])


CHANGES_ITS_OBJECT = {"append", "extend", "insert", "sort", "reverse", "fill", "shuffle", "update", "fill_diagonal", "copyto", "put", "place"}


def explain_none(answer: Any, parts: tuple[str, ...] = ()) -> Diagnosis:
    """What is wrong with an answer that returns None; `parts` are the names of what it should return."""
    return Diagnosis("your function returns None", "the result", _why(_body(source_of(answer)), ", ".join(parts) or "..."))


def _body(tree: ast.AST | None) -> ast.FunctionDef | None:
    """The function, or the last method called `forward`."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)] if tree else []
    return next((node for node in functions if node.name == "forward"), functions[0] if functions else None)


def _why(function: ast.FunctionDef | None, result: str) -> Cause:
    end = f"end the function with `return {result}`"
    if function is None:
        return Cause("form.no_return_value", "the function ended without reaching a `return` with a value", end)
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    for node in returns:
        if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute) and node.value.func.attr in CHANGES_ITS_OBJECT:
            return Cause(
                "form.in_place_call_returned",
                f"`{ast.unparse(node.value)}` changes its object and gives None",
                "do that on a line of its own, and return the object on the next line",
            )
        if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name) and node.value.func.id == "print":
            return Cause("form.print_returned", "`print(...)` shows a value and gives None", "return the value itself")
    if any(node.value is None for node in returns):
        return Cause("form.bare_return", "a `return` without a value was reached", "write the result after `return`")
    if returns:
        return Cause(
            "form.return_not_reached",
            "the function has a `return`, but this call did not reach it, or the value after it is None",
            "print the value after it; look at its indentation, and at the branches before it",
        )
    if any(isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print" for node in ast.walk(function)):
        return Cause(
            "form.printed_not_returned",
            "there is no `return`: the function prints its result",
            f"write `return {result}` instead of `print(...)`",
        )
    return Cause("form.return_missing", "there is no `return`", end)


NOT_COMPUTED = {"full", "masked_fill", "masked_fill_", "tensor", "where", "__setitem__", "fill_", "empty", "empty_like", "new_empty"}  # any memory
NEXT = {
    "softmax": "are all scores of a row -inf, or is one of them nan? Print them",
    "log": "log(0) is -inf, and 0 · (-inf) is nan: leave out the zeros before you take the logarithm",
    "divide": "print what it is divided by: is one of these numbers 0 or inf?",
    "power": "print both numbers; for the exponentials of a softmax, subtract the largest of the scores that share one sum first",
}
MINUS = ("infinity minus infinity is nan", "which line makes these numbers infinite? Print what it gets")
NAN = {  # what gives nan though nothing that goes in is nan
    "subtract": MINUS,
    "add": MINUS,
    "sum": MINUS,
    "sqrt": ("the square root of a negative number is nan", "print what it gets: which line makes it negative?"),
    "power": ("a negative number has no power that is not whole", "print what it gets: which line makes it negative?"),
    "log": ("the logarithm of a negative number is nan", "print what it gets: which line makes it negative?"),
}
WRITTEN = {  # operations: how they are written, and what to call them where that is not seen
    "divide": (("/", "divide", "div"), "a division"),
    "floor_divide": (("//", "floor_divide"), "a division"),
    "remainder": (("%", "remainder", "mod"), "a remainder"),
    "multiply": (("*", "multiply", "mul", "einsum"), "a multiplication"),
    "subtract": (("-", "subtract", "sub"), "a subtraction"),
    "add": (("+", "add", "sum"), "an addition"),
    "power": (("**", "power", "pow"), "a power"),
    "square": (("square", "**"), "a square"),
    "sqrt": (("sqrt", "**"), "a square root"),
    "reciprocal": (("reciprocal", "**", "/"), "a division"),
    "reduce": (("sum", "prod", "reduce"), "a sum or a product"),
    "accumulate": (("cumsum", "cumprod", "accumulate"), "a running sum or product"),
    "matmul": (("@", "matmul", "dot", "einsum"), "a matrix product"),
    "cast": (("astype", "float16", "float32"), "a conversion to another number type"),
}
LOOPS = (ast.For, ast.While, ast.comprehension, ast.ListComp, ast.GeneratorExp, ast.Lambda)
ALSO = {
    "true_divide": "divide",
    "div": "divide",
    "truediv": "divide",
    "rtruediv": "divide",
    "mul": "multiply",
    "rmul": "multiply",
    "pow": "power",
    "sub": "subtract",
    "rsub": "subtract",
    "dot": "matmul",
    "vecdot": "matmul",
    "exp2": "exp",
    "log2": "log",
}


MASKS = re.compile("inf$|mask|causal|^tri[ul]?$|^where$")  # what stands in lines that leave scores out


def explain_not_finite(result: Any, case: Case, again: Callable[[Any], Any], answer: Any = None) -> Diagnosis | None:
    """None when every entry is a finite number, or is as infinite as the expected one.

    Args:
        again: makes the same call once more, of the answer or of a copy, to see which operation gives the first nan or inf.
        answer: its text, where it can be seen, may say more.
    """
    array = as_numpy(result)
    if array.dtype.kind != "f" or np.isfinite(array).all() or np.array_equal(np.isfinite(array), np.isfinite(as_numpy(case.expected))):
        return None
    bad = int((~np.isfinite(array)).sum())
    observed = f"{bad} of {array.size} entries are nan or inf{_for(case)}"
    return Diagnosis(observed, "finite numbers", _source(again, answer, case))


def _source(again: Callable[[Any], Any], answer: Any, case: Case) -> Cause:
    origin = _watch(lambda: again(answer))
    if not origin:
        if written := _nan_written(answer):
            return Cause(
                "form.nan_written",
                f"line {written.lineno} puts nan in, `{ast.unparse(written)}`, and every sum or product with nan is nan",
                "to give something no weight, make its score −inf before the softmax",
            )
        return Cause(
            "form.nan_of_unknown_origin",
            "this check does not know which operation gives the first of them",
            "print every intermediate array: where does the first nan or inf appear?",
            Certainty.HINT,
        )
    operation, is_nan = origin.operation, origin.is_nan
    masks = any(MASKS.search(str(getattr(node, "attr", getattr(node, "id", getattr(node, "value", ""))))) for node in ast.walk(cell_of(answer)))
    first_mask = "mask the scores first; then " if masks else ""
    if operation == "divide" and (one := _one_for_all(answer, case)):
        return Cause(
            "form.maximum_over_whole_table",
            f"{one} is one number for the whole table: where all scores of one query are far below it, every exponential is 0, and 0 / 0 is nan",
            f"{first_mask}subtract the largest score of each query: `max(axis=..., keepdims=True)`, in torch `amax(dim=..., keepdim=True)`",
            short=f"{one} is one number for the whole table; far below it, all exponentials are 0, and 0 / 0 is nan",
        )
    first = f"the first of them comes from {origin}"
    if whole := explain_too_large(answer, again):
        return replace(whole, words=f"{first}; {whole.words}", short=whole.words)
    if origin.of_too_few:
        return Cause("form.nan_from_operation", f"{first}, {origin.of_too_few}", "print the shape of what it gets: how many numbers are left?")
    used = {called(node) for node in ast.walk(cell_of(answer))}
    if is_nan and operation == "multiply":
        return Cause(
            "form.zero_times_infinity",
            f"{first}: 0 times infinity is nan",
            "choose instead of multiplying: `where` or `masked_fill` put −inf in some places and leave the others alone",
        )
    zeros = made_zero(answer, again) if is_nan and operation == "divide" else None
    nothing = f"0 / 0{f' in line {origin.place.line}' if origin.place else ''}"
    if zeros and "exp" not in zeros.name and "softmax" not in zeros.name:
        return _too_small(nothing, zeros, used)
    if is_nan and operation == "divide" and "exp" in used:
        return Cause(
            "form.no_exponential_left",
            f"{nothing}: each exponential in that sum is 0{_starts_at_0(answer)}",
            f"{first_mask}subtract the largest of those scores, also where it is below 0",
        )
    if is_nan and operation == "divide" and (given := _divisor_of_0(answer, case)):
        return Cause(
            "form.argument_is_zero", f"{first}: `{given}` is 0 there", f"give the case in which `{given}` is 0 a line of its own, before that"
        )
    if is_nan and operation == "divide":
        return Cause(
            "form.zero_by_zero",
            f"{first}: 0 / 0, all that it divides by is 0 there",
            "a softmax over all keys may leave nothing for those that you keep: give the others −inf before it"
            if zeros and "softmax" in zeros.name
            else "what made it 0? Print it",
        )
    if is_nan and operation in NAN:
        why, next_step = NAN[operation]
        return Cause("form.nan_from_operation", f"{first}: {why}", next_step)
    return Cause("form.nan_from_operation", first, _after_exp(answer, used) if operation == "exp" else NEXT.get(operation, "print its inputs"))


def _after_exp(answer: Any, used: set[str]) -> str:
    """The next step where an exponential is too large: a softmax has another one than a sigmoid."""
    if {"max", "amax", "maximum"} & used:
        return "print what `exp` gets: is none of it above 0? Subtract the largest of these very numbers, of all that share one sum"
    if _adds_one(answer):
        return "write the sigmoid as 1 / (1 + e^−z), with a minus: where e^−z is inf, that is 0, and no nan"
    if {"sum", "nansum", "fsum", "normalize"} & used:
        return "before `exp`, subtract the largest of the scores that share one sum: the softmax stays the same"
    return "print what `exp` gets: float32 holds e^88, and float64 e^709; which form of the formula has no larger exponential?"


def _starts_at_0(answer: Any) -> str:
    """The largest number of a loop that begins with 0, in words: it is never below 0; "" where there is none."""
    tree = cell_of(answer)
    starts = {
        target.id: node
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and node.value.value == 0
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        match node:
            case ast.If(
                test=ast.Compare(ops=[ast.Gt() | ast.GtE()], comparators=[ast.Name(id=name)]), body=[ast.Assign(targets=[ast.Name(id=other)]), *_]
            ):
                is_largest = name == other
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if called(call) in ("max", "maximum"):
                is_largest = any(isinstance(one, ast.Name) and one.id == name for one in call.args)
            case _:
                continue
        if is_largest and name in starts:
            return f"; `{name}` starts at 0 in line {starts[name].lineno}, and is no score where all scores are below 0"
    return ""


def _too_small(nothing: str, zeros: Operation, used: set[str]) -> Cause:
    """What is said of an operation whose numbers became 0, where something is divided by them later."""
    type_of_float = str(zeros.result.dtype).removeprefix("torch.")
    of_scores = any("softmax" in name or name == "exp" for name in used)
    return Cause(
        "form.too_small_for_the_type",
        f"{nothing}; `{zeros.text}` in line {zeros.node.lineno} makes the zeros: its numbers are too small for {type_of_float} (underflow)",
        "do that with the scores, before the exponentials: a factor there is a power of the exponential, and a sum is a product"
        if of_scores
        else "compute with the logarithms of the numbers: a power becomes a factor there, and a product a sum",
    )


def _adds_one(answer: Any) -> bool:
    """Whether the answer has 1 + exp(...), as in a sigmoid; the exponential may have a name."""
    tree = cell_of(answer)
    sums = [node for node in ast.walk(tree) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)]
    named = {
        ast.unparse(target) for node in ast.walk(tree) if isinstance(node, ast.Assign) and called(node.value) == "exp" for target in node.targets
    }
    return any(
        isinstance(one, ast.Constant) and one.value == 1 and (called(other) == "exp" or ast.unparse(other) in named)
        for node in sums
        for one, other in ((node.left, node.right), (node.right, node.left))
    )


def _divisor_of_0(answer: Any, case: Case) -> str:
    """The argument that is 0 in this call, and by which the answer divides as it came in; empty where there is none."""
    try:
        given = inspect.signature(answer).bind(*case.arguments).arguments
    except (TypeError, ValueError):  # the call is not made with these arguments, or there is nothing to ask
        return ""
    divisors = [node.right for node in ast.walk(cell_of(answer)) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)]
    zeros = [name for name, value in given.items() if is_number(value) and value == 0]
    return next((one.id for one in divisors if isinstance(one, ast.Name) and one.id in zeros), "")


def _nan_written(answer: Any) -> ast.expr | None:
    """Where an answer writes nan itself."""
    for node in ast.walk(cell_of(answer)):
        if isinstance(node, ast.Attribute) and node.attr == "nan":
            return node
        if called(node) == "float" and ast.unparse(node).lower() == "float('nan')":
            return node
    return None


def explain_replaced(again: Callable[[Any], Any], answer: Any, case: Case) -> Cause | None:
    """Numbers that are nan or inf until `nan_to_num` replaces them; None where the answer replaces none."""
    lines = [node.lineno for node in ast.walk(cell_of(answer)) if getattr(node, "attr", getattr(node, "id", "")) == "nan_to_num"]
    if not lines:
        return None
    with _nothing_replaced():
        try:
            with warnings.catch_warnings(action="ignore"):
                result = again(answer)
            if is_finite(result):
                return None
        except Exception:  # without numbers in their place, something else may go wrong
            return None
        source = _source(again, answer, case)
    return replace(
        source,
        id="form.nan_replaced",
        words=f"`nan_to_num` in line {lines[0]} puts other numbers in the place of nan or inf; {source.words}",
        short=f"`nan_to_num` in line {lines[0]} replaces nan or inf; {source.short or source.words}",
    )


@contextlib.contextmanager
def _nothing_replaced() -> Iterator[None]:
    """`nan_to_num` gives back what it gets, in NumPy and torch."""
    import torch  # here, so that lessons without tensors do not wait for it

    places = (np, torch, torch.Tensor)
    before = [place.nan_to_num for place in places]
    try:
        for place in places:
            place.nan_to_num = lambda value, *_, **__: value
        yield
    finally:
        for place, function in zip(places, before, strict=True):
            place.nan_to_num = function


def _one_for_all(answer: Any, case: Case) -> str:
    """Where one largest number of an array with several axes is subtracted from all of it; "" where none is."""
    tree = cell_of(answer)
    made = given_once(tree)
    # A row of a loop has one largest number by right, and what is masked with -inf may be a whole row, of which nothing is expected.
    repeated = {id(part) for node in ast.walk(tree) if isinstance(node, LOOPS) for part in ast.walk(node)}
    if max((np.ndim(as_numpy(one)) for one in case.arguments if hasattr(one, "shape")), default=2) < 2:
        return ""  # one row, which has one largest number
    is_masked = any("inf" in (getattr(node, "attr", ""), getattr(node, "value", "")) for node in ast.walk(tree))
    if is_masked and not np.atleast_1d(as_numpy(case.expected)).any(axis=-1).all():
        return ""
    for node in ast.walk(tree):
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub) or id(node) in repeated:
            continue
        right = made.get(node.right.id) if isinstance(node.right, ast.Name) else node.right
        match right:
            case (
                ast.Call(func=ast.Attribute(value=ast.Name(id="np" | "torch"), attr="max" | "amax"), args=[of], keywords=named)
                | ast.Call(func=ast.Attribute(value=of, attr="max" | "amax"), args=[], keywords=named)
            ):
                if ast.unparse(of) != ast.unparse(node.left):
                    continue
                axes = [one.value for one in named if one.arg in ("axis", "dim")]
                if not axes or (isinstance(axes[0], ast.Tuple) and len(axes[0].elts) > 1):
                    return f"`{ast.unparse(right)}`, in line {right.lineno},"
    return ""


@dataclass(frozen=True)
class _Origin:
    """What gives the first number that is not finite.

    Attributes:
        operation: its name in NumPy, or that of the library's function in which it happens.
        place: the learner's line.
        is_nan: whether that number is nan.
        of_too_few: for a mean or variance of too few numbers: that it is one, in words.
    """

    operation: str
    place: Place | None
    is_nan: bool
    of_too_few: str = ""

    def __str__(self) -> str:
        written, otherwise = WRITTEN.get(self.operation, ((self.operation,), f"`{self.operation}`"))
        text = self.place.text if self.place else ""
        return next((f"`{one}`" for one in written if one in text), otherwise) + (f", {self.place}" if self.place else "")


TOO_FEW = {"mean of empty slice": "which gets no numbers", "degrees of freedom": "which gets too few numbers for a variance"}


def _origin_of(warning: str, frame: types.FrameType | None) -> _Origin | None:
    """What a warning of NumPy, or of torch, is about; None for one that says nothing of numbers.

    Args:
        warning: its words.
        frame: where it was given.
    """
    few = next((words for start, words in TOO_FEW.items() if start in warning.lower()), "")
    name = warning.rpartition(" in ")[2].removeprefix("scalar ") if "encountered in" in warning else warning.partition("(): ")[0] if few else ""
    if not name:
        return None
    place = place_now(frame)
    inside = ""
    while place and frame is not None and frame is not place.frame:  # the last of the library's functions is the one that was called
        inside = frame.f_code.co_name.strip("_") if frame.f_code.co_name.strip("_") in place.text else inside
        frame = frame.f_back
    return _Origin(inside or ALSO.get(name, name), place, "invalid" in warning or bool(few), few)


def _watch(again: Callable[[], Any]) -> _Origin | None:
    """What gives the first number that is not finite; None where that cannot be seen."""
    from torch.overrides import TorchFunctionMode  # here, so that lessons without tensors do not wait for it

    found: list[_Origin] = []
    warned: list[_Origin] = []

    class Watching(TorchFunctionMode):
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            before = bool(found) or any(map(_is_bad, args))  # an operation in place writes over it
            result = function(*args, **(kwargs or {}))
            name = getattr(function, "__name__", "")
            if not before and _is_bad(result) and name not in NOT_COMPUTED:
                plain = name.strip("_")
                few = TOO_FEW["mean of empty slice"] if plain == "mean" and args and not args[0].numel() else ""
                found.append(_Origin(ALSO.get(plain, plain), place_now(sys._getframe(1)), bool(result.isnan().any()), few))
            return result

    def note(message: Any, *_: Any, **__: Any) -> None:
        if not warned and (origin := _origin_of(str(message), sys._getframe(1))):
            warned.append(origin)

    with warnings.catch_warnings(), np.errstate(over="warn", divide="warn", invalid="warn"):
        warnings.simplefilter("always")
        warnings.showwarning = note
        quiet, np.errstate = np.errstate, lambda **_: contextlib.nullcontext()  # an answer may have switched the warnings off
        try:
            with Watching():
                again()
        except Exception:  # the call itself is explained elsewhere
            return None
        finally:
            np.errstate = quiet
    return next(iter((*warned, *found)), None)


def _is_bad(value: Any) -> bool:
    """Whether a tensor holds nan or +inf. -inf is what masks are made of."""
    return (
        hasattr(value, "isnan")
        and hasattr(value, "detach")
        and value.is_floating_point()
        and bool(value.detach().isnan().any() or value.detach().isposinf().any())
    )
