"""Why a test cell gave no points, as far as that is known: for whoever looks at a whole class, never for the student.

A message is what the student reads. A clue says who wrote it, where the test stopped, and what the student's code had given by then,
so that answers with the same mistake can be told to have it.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

MOST_SHOWN, MOST_LETTERS, DIGITS = 6, 160, 4
MOST_NUMBERS = 100_000  # of a value that is larger, the first


@dataclass(frozen=True)
class Clue:
    """Why a test cell gave no points, or not all.

    Args:
        by: who explains it. "author": a message of the test's own. "examiner": a sentence of ours that tells the cause. "error": the
            student's code raised something. "limit": time, memory or the end of the program. "": nobody.
        hidden: whether the test stopped in its hidden part.
        line: the line of the test cell where it stopped, from 1; 0 where that is not known.
        raised: the type of what the student's code raised.
        at: the line of the student's cell that it came from; 0 where that is not known.
        returned: what the student's code returned last, with numbers rounded.
    """

    by: str = ""
    hidden: bool = False
    line: int = 0
    raised: str = ""
    at: int = 0
    returned: str = ""


def described(value: Any) -> str:
    """A value in a few words; two values that differ in rounding only are described alike, others hardly ever."""
    numbers = _array(value)
    if numbers is not None:
        kind = type(value).__name__
        flat = numbers.reshape(-1)[:MOST_NUMBERS]
        shown = ", ".join(map(_number, flat[:MOST_SHOWN].tolist()))
        if numbers.ndim == 0:
            return shown if kind in ("float", "int", "bool") else f"{kind} {shown}"  # 7 and 7.0 are one result
        more = f", … ({_digest(map(_number, flat.tolist()))})" if numbers.size > MOST_SHOWN else ""
        return f"{kind} of shape {numbers.shape}: {shown}{more}"
    try:
        text = repr(value)
    except Exception:  # a number of more digits than Python writes
        return f"{type(value).__name__} that cannot be written down"
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}… ({_digest([text])})"


def _array(value: Any) -> np.ndarray[Any, Any] | None:
    """Numbers as an array; None for what is none."""
    try:
        if hasattr(value, "detach"):  # a tensor
            value = value.detach().cpu().numpy()
        array = np.asarray(value) if isinstance(value, (bool, int, float, complex, np.ndarray, np.generic)) else None
    except Exception:  # a dtype that numpy does not have, or a number that is too large for it
        return None
    return array if array is not None and array.dtype.kind in "biufc" else None


def _number(number: complex) -> str:
    if isinstance(number, complex):
        return f"{_number(number.real)}{'+' if number.imag >= 0 else ''}{_number(number.imag)}j"
    if isinstance(number, float) and math.isfinite(number):
        return f"{number + 0.0:.{DIGITS}g}"
    return str(number)


def _digest(texts: Iterator[str] | list[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode("utf-8", "replace")).hexdigest()[:6]
