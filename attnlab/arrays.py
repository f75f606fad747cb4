"""Arrays of NumPy and torch alike."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

PLAIN = frozenset({bool, int, float, complex, str, bytes, type(None)})


def kind_of(value: Any) -> str:
    """ "numpy" or "torch" for an array, otherwise the name of the type."""
    if isinstance(value, (np.ndarray, np.generic)):
        return "numpy"
    return "torch" if type(value).__module__.startswith("torch") and hasattr(value, "detach") else type(value).__name__


def as_numpy(value: Any) -> np.ndarray:
    """The numbers of an array or tensor."""
    return value.detach().cpu().numpy() if hasattr(value, "detach") else np.asarray(value)


def same_numbers(one: Any, other: Any) -> bool:
    """Whether two arrays have the same shape and the same numbers; nan is the same as nan."""
    first, second = as_numpy(one), as_numpy(other)
    return np.array_equal(first, second, equal_nan=first.dtype.kind in "fc" and second.dtype.kind in "fc")


def copied(result: Any) -> Any:
    """A result of its own; a tensor leaves behind how it was computed, as torch copies only those that have not been computed."""
    if isinstance(result, (tuple, list)):
        return (tuple if isinstance(result, tuple) else list)(map(copied, result))
    return result.detach().clone() if hasattr(result, "detach") else copy.deepcopy(result)


def deep_copy(value: Any) -> Any:
    """As `copy.deepcopy`, in a fraction of its time for what most arguments are: numbers and whole tensors, in lists and dicts."""
    known: dict[int, Any] = {}  # what it was copied to, by the id of each: also what `deepcopy` needs

    def copy_of(one: Any) -> Any:
        kind = type(one)
        if kind in PLAIN:
            return one
        if id(one) in known:
            return known[id(one)]
        if kind in (list, tuple):
            made = kind(map(copy_of, one))
        elif kind is dict:
            made = {key: copy_of(item) for key, item in one.items()}
        elif kind.__name__ == "Tensor" and not (one.requires_grad or one._base is not None) and one.is_contiguous():
            made = one.clone()
        else:
            made = copy.deepcopy(one, known)
        known[id(one)] = made
        return made

    return copy_of(value)


def as_decimals(value: Any) -> Any:
    """An array of whole numbers as one of float64; anything else as it is."""
    if not hasattr(value, "dtype") or as_numpy(value).dtype.kind not in "iu":
        return value
    return value.double() if hasattr(value, "detach") else value.astype(float)


def is_number(value: Any) -> bool:
    """One number: Python's, NumPy's, or an array without axes."""
    return (
        np.ndim(value) == 0 and not isinstance(value, (bool, np.bool_)) and (isinstance(value, (int, float)) or kind_of(value) in ("numpy", "torch"))
    )
