"""Types and shapes: is the result the kind of thing that was asked for?"""

from __future__ import annotations

from typing import Any

import numpy as np

from attnlab.check.diagnosis import Diagnosis
from attnlab.reference import Case

KINDS = {"numpy": "a NumPy array", "torch": "a torch tensor"}
NAMES = {**KINDS, "int": "a whole number (int)", "float": "a number (float)"}
CONVERT = {"numpy": "`np.array(...)` at the end", "torch": "torch functions all the way, or `torch.stack(...)` at the end"}


def kind_of(value: Any) -> str:
    """"numpy" or "torch" for an array, otherwise the name of the type."""
    if isinstance(value, (np.ndarray, np.generic)):
        return "numpy"
    return "torch" if type(value).__module__.startswith("torch") and hasattr(value, "detach") else type(value).__name__


def as_numpy(value: Any) -> np.ndarray:
    """The numbers of an array or tensor."""
    return value.detach().cpu().numpy() if hasattr(value, "detach") else np.asarray(value)


def is_number(value: Any) -> bool:
    """One number: Python's, NumPy's, or an array without axes."""
    return np.ndim(value) == 0 and not isinstance(value, (bool, np.bool_)) and (
        isinstance(value, (int, float)) or kind_of(value) in KINDS)


def explain_type(result: Any, expected: Any) -> Diagnosis | None:
    """None when `result` is the kind of array that `expected` is, with a float type where that has one."""
    wanted, got = kind_of(expected), kind_of(result)
    if is_number(expected) and is_number(result) and (isinstance(expected, float) or not isinstance(result, (float, np.floating))):
        return None
    if wanted not in KINDS:
        return None if type(result) is type(expected) else Diagnosis(
            f"your function returns {NAMES.get(got, got)}", f"it returns {NAMES.get(wanted, wanted)}",
            "the result is in another form than the card says",
            "read the line `returns` of the card again")
    if result is None:
        return Diagnosis("your function returns None", KINDS[wanted], "there is no `return`, or it prints instead",
                         "end the function with `return` and the array")
    if got != wanted:
        likely = "one part too many is returned" if got == "tuple" else "the result was built in another form than the card says"
        convert = "return the one array alone" if got == "tuple" else f"use {CONVERT[wanted]}"
        return Diagnosis(f"your function returns {KINDS.get(got, got)}", KINDS[wanted], likely, convert)
    if as_numpy(expected).dtype.kind == "f" and as_numpy(result).dtype.kind != "f":
        return Diagnosis(f"your array holds {result.dtype}", "real numbers such as float64",
                         "the result was stored in an array of integers, which cuts off all decimals",
                         "make the array with `np.zeros(shape)`, not with `zeros_like` of an integer array")
    return None


def explain_shape(result: Any, case: Case) -> Diagnosis | None:
    """None when the shape is right; otherwise what the wrong one reveals."""
    wanted, got = np.shape(as_numpy(case.expected)), np.shape(as_numpy(result))
    if wanted == got:
        return None
    return Diagnosis(f"shape {got} for {case.label}{_given(case)}", f"shape {wanted}", *_shape_cause(wanted, got, case))


def _given(case: Case) -> str:
    shapes = [f"{tuple(argument.shape)}" for argument in case.arguments if hasattr(argument, "shape")]
    return f", an input of shape {shapes[0]}" if len(shapes) == 1 else ""


def _shape_cause(wanted: tuple, got: tuple, case: Case) -> tuple[str, str]:
    for mistake in case.mistakes:
        if np.shape(as_numpy(mistake.value)) == got:
            return mistake.likely, mistake.next
    if len(got) < len(wanted) and tuple(length for length in wanted if length != 1) == got:
        return "an axis of length 1 was dropped, for example by `squeeze()` or by an index", "keep the axis: `keepdims=True`, or a slice `i:i+1`"
    if sorted(got) == sorted(wanted):
        return "the axes are in another order: a transpose too many or too few", "write the shape of every line in a comment, then compare"
    if len(got) < len(wanted):
        return "an axis was summed away or indexed away", "write the shape of every line in a comment; which line loses the axis?"
    return ("a size is not taken from the argument: a variable of the notebook, or a fixed number, is used instead",
            "take every size from the argument, for example `T, k = x.shape`")
