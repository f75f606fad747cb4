"""Compare a result with the expected one, and recognise how it is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np

from attnlab.check.diagnosis import Diagnosis
from attnlab.check.kinds import as_numpy, is_number, kind_of
from attnlab.reference import Case

TOLERANCE = {"float64": 1e-6, "float32": 1e-4}
_UNKNOWN = "no mistake that this check knows", "open *Worked by hand* in the card and compare number by number"


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


def explain_difference(result: Any, case: Case) -> Diagnosis | None:
    """None when `result` is what the case expects; otherwise the most telling reason why not."""
    if kind_of(case.expected) not in ("numpy", "torch") and not is_number(case.expected):
        return None if result == case.expected else _explain_value(result, case)
    got, wanted = as_numpy(result).astype(float), as_numpy(case.expected).astype(float)
    rtol = tolerance_of(result, case)
    if close(got, wanted, rtol):
        return None
    likely, next_step = _cause(got, wanted, case, rtol)
    return Diagnosis(_largest_difference(got, wanted, case), _expected(wanted), likely, next_step)


def _explain_value(result: Any, case: Case) -> Diagnosis:
    """What a wrong number or text says."""
    likely, next_step = next(((mistake.likely, mistake.next) for mistake in case.mistakes if mistake.value == result),
                             ("the rule of the card is not met", "read it once more, and *Worked by hand*"))
    return Diagnosis(f"{result!r} for {case.label}", repr(case.expected), likely, next_step)


def _cause(got: np.ndarray, wanted: np.ndarray, case: Case, rtol: float) -> tuple[str, str]:
    for mistake in case.mistakes:
        if close(got, as_numpy(mistake.value).astype(float), max(rtol, 1e-5)):
            return mistake.likely, mistake.next
    if np.allclose(got, wanted, rtol=0, atol=6e-3):
        return "the numbers were rounded, or a float type with few digits was used", "leave rounding to the printout; return full precision"
    if got.size == 1:
        return _UNKNOWN
    if got.ndim >= 2 and got.shape[-1] == got.shape[-2] and close(np.swapaxes(got, -1, -2), wanted, rtol):
        return "the result is transposed: rows and columns changed places", "row i belongs to query i; which of your two factors holds the queries?"
    if not got.any():
        return "every entry is zero: the array that was prepared is returned unfilled", "check that the loop writes into the array that you return"
    factor = np.median(got[wanted != 0] / wanted[wanted != 0]) if (wanted != 0).any() else 1.0
    if factor and close(got / factor, wanted, rtol):
        return f"every entry is {factor:.4g} times the expected one", "look for a factor too many or too few, or a mean in place of a sum"
    if close(got - (got - wanted).ravel()[0], wanted, rtol):
        return "every entry is off by the same amount", "look for a constant that is added or left out"
    return _UNKNOWN


def _largest_difference(got: np.ndarray, wanted: np.ndarray, case: Case) -> str:
    if not got.shape:
        return f"{got:.6g} for {case.label}"
    place = np.unravel_index(np.argmax(np.abs(got - wanted)), got.shape)
    where = ", ".join(str(int(index)) for index in place)
    return (f"for {case.label}, the largest difference is at [{where}]: yours {got[place]:.4f}, expected {wanted[place]:.4f}")


def _expected(wanted: np.ndarray) -> str:
    if not wanted.shape:
        return f"{wanted:.6g}"
    if wanted.size > 16:
        return f"an array of shape {wanted.shape}; the picture below shows it beside yours"
    return np.array2string(wanted, precision=4, suppress_small=True, separator=", ").replace("\n", "")
