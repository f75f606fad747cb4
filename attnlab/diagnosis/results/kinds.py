"""Types and shapes: is the result the kind of thing that was asked for?"""

from __future__ import annotations

from typing import Any

import numpy as np

from attnlab.arrays import as_numpy, is_number, kind_of
from attnlab.diagnosis.cause import Cause, Certainty, Diagnosis, unknown
from attnlab.reference import Case

KINDS = {"numpy": "a NumPy array", "torch": "a torch tensor"}
NAMES = {**KINDS, "int": "a whole number (int)", "float": "a number (float)"}
CONVERT = {"numpy": "`np.array(...)` at the end", "torch": "torch functions all the way, or `torch.stack(...)` at the end"}


def explain_type(result: Any, expected: Any) -> Diagnosis | None:
    """None when `result` is the kind of array that `expected` is, with a float type where that has one."""
    wanted, got = kind_of(expected), kind_of(result)
    if is_number(expected) and is_number(result) and (isinstance(expected, float) or not isinstance(result, (float, np.floating))):
        return None
    if wanted not in KINDS:
        return (
            None
            if type(result) is type(expected)
            else Diagnosis(
                f"your function returns {NAMES.get(got, got)}",
                f"it returns {NAMES.get(wanted, wanted)}",
                Cause(
                    "kinds.result_another_form_card", "the result is in another form than the card says", "read the line `returns` of the card again"
                ),
            )
        )
    if result is None:
        return Diagnosis(
            "your function returns None",
            KINDS[wanted],
            Cause("kinds.return_value_reached", "no `return` with a value was reached", "end the function with `return` and the result"),
        )
    if got != wanted:
        beside = _shape_beside(result, expected) if got == "list" else ""
        parts = f", of {len(result)} parts{beside}" if isinstance(result, (tuple, list)) else ""
        likely = f"the result is a {got}{parts}, and the card wants one array" if parts else "the result is another kind of thing than the card wants"
        convert = "return the one array alone" if got == "tuple" else f"use {CONVERT[wanted]}"
        if beside:
            convert = "make one array of the card's shape; in a loop, `append` keeps rows apart, and `extend` joins them"
        return Diagnosis(f"your function returns {KINDS.get(got, got)}", KINDS[wanted], Cause("kinds.explain_type", likely, convert))
    if as_numpy(expected).dtype.kind == "f" and as_numpy(result).dtype.kind != "f":
        return Diagnosis(f"your array holds {as_numpy(result).dtype}", "real numbers such as float64", _why_no_decimals(result, expected))
    if as_numpy(result).dtype == np.float16:
        return Diagnosis(
            "your array holds float16",
            "float32 or float64",
            Cause("kinds.float_keeps_three_digits", "float16 keeps three digits of a number", "leave the type as NumPy makes it"),
        )
    return None


def _shape_beside(result: Any, expected: Any) -> str:
    """The shape that a list would have as an array, where that is another one than the card's."""
    try:
        shape = np.shape(np.array(result, dtype=float))
    except Exception:  # parts of several shapes, tensors with gradients, other things
        return ""
    return "" if shape == np.shape(expected) else f", which have as an array the shape {shape} and not {np.shape(expected)}"


def _why_no_decimals(result: Any, expected: Any) -> Cause:
    got, wanted = as_numpy(result), as_numpy(expected)
    if got.dtype.kind == "b":
        return Cause(
            "kinds.result_holds_truth_values",
            "the result holds truth values, such as a comparison gives",
            "which line compares? `np.where(condition, a, b)` chooses by a condition",
        )
    if got.dtype.kind == "O":
        kinds = sorted({type(entry).__name__ for entry in got.ravel()})
        if kinds == ["generator"]:
            return Cause(
                "kinds.array_holds_generator_np_array",
                "the array holds a generator, which `np.array(...)` does not run",
                "put square brackets around it: `np.array([... for ...])`",
            )
        return Cause("kinds.array_holds_numbers_but", f"the array holds no numbers, but {' and '.join(kinds[:3])}", "print what you make it from")
    has_decimals = bool((wanted != np.trunc(wanted)).any())
    cut = has_decimals and got.dtype.kind in "iu" and got.shape == wanted.shape and np.array_equal(got, np.trunc(wanted))
    which = "which line makes it so? An array that is made of whole numbers, `zeros_like` of one and `dtype=int` keep no decimals"
    return Cause("kinds.decimals_cut_off", "an array of whole numbers cut off all decimals", which) if cut else unknown("kinds.whole_numbers", which)


def explain_shape(result: Any, case: Case) -> Diagnosis | None:
    """None when the shape is right; otherwise how it is different."""
    wanted, got = np.shape(as_numpy(case.expected)), np.shape(as_numpy(result))
    if wanted == got:
        return None
    return Diagnosis(
        f"shape {got} for {case.label}{_given(case)}",
        f"shape {wanted}",
        _shape_cause(wanted, got, [argument for argument in case.arguments if hasattr(argument, "shape")]),
    )


def _given(case: Case) -> str:
    shapes = [f"{tuple(argument.shape)}" for argument in case.arguments if hasattr(argument, "shape")]
    return f", an input of shape {shapes[0]}" if len(shapes) == 1 else ""


def _shape_cause(wanted: tuple, got: tuple, arrays: list[Any]) -> Cause:
    """What the two shapes alone tell: a pattern, never a cause."""
    lines = "write the shape of every line in a comment; which one is not what you thought?"
    if len(got) < len(wanted) and tuple(length for length in wanted if length != 1) == got:
        return Cause(
            "kinds.axis_length_missing_index",
            "an axis of length 1 is missing: an index, `squeeze` or a sum without `keepdims=True` takes one away",
            "keep the axis: `keepdims=True`, or a slice `i:i+1`",
        )
    if sorted(got) == sorted(wanted):
        return Cause("kinds.axes_right_lengths_another", "the axes have the right lengths in another order", lines)
    if len(got) != len(wanted):
        if len(got) == 2 * len(wanted) and any(got == 2 * tuple(given.shape) for given in arrays):
            return Cause(
                "kinds.result_axes_comes_twice",
                "the result has the axes of what comes in twice: an outer product gives that, and a shape such as `x.shape * 2`",
                lines,
            )
        return Cause("kinds.card", f"there {'is one axis' if len(got) == 1 else f'are {len(got)} axes'} where the card has {len(wanted)}", lines)
    return Cause("kinds.wrong_length", "this check does not know which line makes the wrong length", lines, Certainty.HINT)
