"""Compare a result with the expected one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy, is_number, kind_of
from attnlab.diagnosis.cause import Diagnosis, unknown
from attnlab.reference import Case

TOLERANCE = {"float64": 1e-6, "float32": 1e-4}
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
    return case.tolerance or max(TOLERANCE.get(str(as_numpy(array).dtype), 1e-6) for array in (result, case.expected))


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
        got, known = as_numpy(result).astype(float), as_numpy(value).astype(float)
    except (TypeError, ValueError):
        return False
    if got.shape != known.shape or not np.array_equal(np.isfinite(got), np.isfinite(known)):
        return False
    rtol = max(tolerance_of(result, case), 1e-5)
    return close(np.where(np.isfinite(got), got, 0), np.where(np.isfinite(known), known, 0), rtol)


def explain_difference(result: Any, case: Case) -> Diagnosis | None:
    """None when `result` is what the case expects; otherwise how far off it is."""
    if kind_of(case.expected) not in ("numpy", "torch") and not is_number(case.expected):
        return (
            None
            if result == case.expected
            else Diagnosis(
                f"{result!r} for {case.label}",
                repr(case.expected),
                unknown("compare.explain_difference_2", "read the rule of the card once more, and follow it by hand for this input"),
            )
        )
    got, wanted = as_numpy(result).astype(float), as_numpy(case.expected).astype(float)
    if close(got, wanted, tolerance_of(result, case)):
        return None
    return Diagnosis(_largest_difference(got, wanted, case), _expected(wanted), unknown("compare.explain_difference", LOOK))


def _largest_difference(got: np.ndarray, wanted: np.ndarray, case: Case) -> str:
    if not got.shape:
        return f"{_number(got)} for {case.label}"
    place = np.unravel_index(np.argmax(np.abs(got - wanted)), got.shape)
    where = ", ".join(str(int(index)) for index in place)
    right = int(np.isclose(got, wanted, rtol=1e-5, atol=1e-7).sum())
    share = f"; {right} of {got.size} entries are right" if right else ""
    digits = next((digits for digits in (4, 6, 8) if f"{got[place]:.{digits}g}" != f"{wanted[place]:.{digits}g}"), 12)
    return f"for {case.label}, the largest difference is at [{where}]: yours {got[place]:.{digits}g}, expected {wanted[place]:.{digits}g}{share}"


def _expected(wanted: np.ndarray) -> str:
    if not wanted.shape:
        return _number(wanted)
    if wanted.size > 16:
        return f"an array of shape {wanted.shape}; the picture below shows it beside yours"
    return np.array2string(wanted, precision=4, suppress_small=True, separator=", ").replace("\n", "")


def _number(value: np.ndarray) -> str:
    """One number; whole ones with all their digits."""
    return f"{value:.0f}" if value == np.trunc(value) and abs(value) < 1e15 else f"{value:.6g}"
