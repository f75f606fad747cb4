"""What tells one result from another in a few numbers, so that the results of many slips can be kept and recognised."""

from __future__ import annotations

from typing import Any

import numpy as np

from attnlab.arrays import as_numpy

# None for an exception; a list of marks for a tuple; {"shape", "numbers"} for an array, without numbers (None) where they are rounding noise;
# anything else for itself.
Mark = Any
_IRRATIONAL = (0.6180339887498949, 0.41421356237309515)  # the fractional parts of their multiples are spread evenly and never repeat
PLACES = 8
TOLERANCE = {"float64": 2e-5, "float32": 2e-4}


def mark_of(result: Any) -> Mark:
    """The mark of a result, as it is written to JSON.

    An array's is its shape and four sums: two with a weight for each place, one of absolute values, one that says where nan and infinities are.
    """
    if isinstance(result, (tuple, list)):
        return [mark_of(part) for part in result]
    if result is None or isinstance(result, (str, bool)):
        return None if result is None else str(result)
    try:
        values = as_numpy(result).astype(float)
    except (TypeError, ValueError):
        return type(result).__name__
    flat = values.ravel()
    finite = np.where(np.isfinite(flat), flat, 0)
    counted = np.arange(1, flat.size + 1)
    weights = [np.modf(counted * factor)[0] for factor in _IRRATIONAL]
    odd = weights[0] @ (np.isnan(flat) + 2.0 * np.isposinf(flat) + 3.0 * np.isneginf(flat))
    numbers = [weights[0] @ finite, weights[1] @ finite, np.abs(finite).sum(), odd]
    return {"shape": list(values.shape), "numbers": [float(f"{number:.{PLACES}g}") for number in numbers]}


def same_mark(one: Mark, other: Mark, tolerance: float = TOLERANCE["float64"]) -> bool:
    """Whether two marks are those of the same result, up to rounding. Of an array whose numbers are rounding noise, only the shape counts."""
    if isinstance(one, dict) and isinstance(other, dict):
        if one["shape"] != other["shape"] or None in (one["numbers"], other["numbers"]):
            return one["shape"] == other["shape"]
        first, second = np.array(one["numbers"]), np.array(other["numbers"])
        return bool((np.abs(first - second) <= tolerance * max(first[2], second[2], 1e-12) + 1e-12).all())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same_mark(*pair, tolerance) for pair in zip(one, other))
    return type(one) is type(other) and one == other


def without_noise(mark: Mark, other: Mark, tolerance: float = TOLERANCE["float64"]) -> Mark:
    """A mark without the numbers that are others in a mark of the same result with other rounding.

    Raises:
        ValueError: it is not even an array of the same shape, or a result where the other is an exception.
    """
    if isinstance(mark, list) and isinstance(other, list) and len(mark) == len(other):
        return [without_noise(*pair, tolerance) for pair in zip(mark, other)]
    if same_mark(mark, other, tolerance):
        return mark
    if isinstance(mark, dict) and isinstance(other, dict) and mark["shape"] == other["shape"]:
        return {**mark, "numbers": None}
    raise ValueError("the kind of result depends on rounding")


def noise_in(mark: Mark) -> Any:
    """Where in a mark numbers are missing because they are rounding noise: False or True, or a list of that for a tuple."""
    return list(map(noise_in, mark)) if isinstance(mark, list) else isinstance(mark, dict) and mark["numbers"] is None
