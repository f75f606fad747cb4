"""Where wrong numbers stand: what is told where no relation to the expected numbers is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from attnlab.diagnosis.cause import Cause, unknown
from attnlab.diagnosis.relations.families import (
    PARTS,
    Example,
    Pair,
    Pattern,
    Texts,
    axes_of,
    distinct,
    find,
    line,
    lines,
    same_shape,
    where_wrong,
)


def explain_zeros(examples: list[Example], result: str) -> Cause | None:
    """Which part of a matrix is zero and should not be, where other numbers are wrong, too.

    Args:
        examples: the results that are wrong.
        result: what to call them.
    """
    return find(_parts_at_zero(), ZERO_TEXTS, examples, result)


def _parts_at_zero() -> Iterator[Pattern]:
    for word, keep in PARTS.items():
        yield Pattern("zero there", word, lambda e, keep=keep: _zeros_beside(e, keep), lambda e: e.wanted.shape[-1] > 2)


def _zeros_beside(e: Example, keep: Callable[[np.ndarray], np.ndarray]) -> Pair | None:
    if not same_shape(e) or not _is_square(e):
        return None
    kept = np.broadcast_to(keep(np.empty(e.wanted.shape[-2:])), e.wanted.shape)
    if not e.wanted[~kept].all() or not e.got[kept & (e.wanted != 0)].all():
        return None
    return np.where(kept, e.got, 0), e.got


ZERO_TEXTS: dict[str, Texts] = {
    "zero there": ("{}, which is wrong; not all other numbers are right either", "which line makes these numbers zero? Begin there"),
}
LINES: dict[str, Callable[[int], range]] = {  # which of so many are wrong
    "only the first {0} is right": lambda n: range(1, n),
    "only the last {0} is right": lambda n: range(n - 1),
    "only the first {0} is wrong": lambda n: range(1),
    "only the last {0} is wrong": lambda n: range(n - 1, n),
    "the first two {1} are right, and none behind them": lambda n: range(2, n),
}
OF_FEATURES: dict[str, Callable[[int], range]] = {  # the same for the last of several axes
    "only the {1} with even numbers are wrong, counted from 0": lambda n: range(0, n, 2),
    "only the {1} with odd numbers are wrong, counted from 0": lambda n: range(1, n, 2),
}
NEXT = "what is different about these in your lines? Does one line change what a later one needs? Go through the first wrong number by hand"
ENOUGH = 4  # different numbers that are right
REGIONS: dict[str, Callable[[int], np.ndarray]] = {  # where numbers are wrong
    "on the diagonal": lambda n: np.eye(n, dtype=bool),
    "above the diagonal": lambda n: ~np.tri(n, dtype=bool),
    "below the diagonal": lambda n: np.tri(n, k=-1, dtype=bool),
    "on and above the diagonal": lambda n: ~np.tri(n, k=-1, dtype=bool),
    "on and below the diagonal": lambda n: np.tri(n, dtype=bool),
}


def explain_places(examples: list[Example]) -> Cause | None:
    """Where the wrong numbers stand, which may have many causes: all of the first input, and none of another one elsewhere."""
    with np.errstate(all="ignore"):
        told = min(_told(examples), key=lambda one: one[0], default=None)
    return unknown(f"relation.only_some_{told[1]}", NEXT, told[2]) if told else None


def _told(examples: list[Example]) -> Iterator[tuple[int, str, str]]:
    """Where all wrong numbers stand: how many places these are in the first input, of what kind, in words."""
    if not all(map(same_shape, examples)):
        return
    axes, rank = axes_of(examples)
    for axis in axes:
        for words, among in LINES.items() if axis not in (rank - 1, -1) or rank == 1 else {**LINES, **OF_FEATURES}.items():
            if places := _if_so(examples, lambda e, axis=axis, among=among: _lines_at(e, axis, among), axis):
                yield places, "lines", words.format(line(axis, rank), lines(axis, rank))
    for words, region in REGIONS.items() if all(map(_is_square, examples)) else ():
        if places := _if_so(examples, lambda e, region=region: np.broadcast_to(region(e.wanted.shape[-1]), e.wanted.shape)):
            yield places, "region", f"all numbers that are wrong stand {words}"


def _if_so(examples: list[Example], where: Callable[[Example], np.ndarray], axis: int | None = None) -> int:
    """How many places of the first input these are, where all wrong numbers stand there, and enough right ones do not; else 0.

    Args:
        examples: the results that are wrong.
        where: the places.
        axis: of the lines that these places are: in the first input, each of them has a wrong number.
    """
    first = examples[0]
    right, others = np.concatenate([e.wanted[~where(e)] for e in examples]), ()
    if any((where_wrong(e) & ~where(e)).any() for e in examples) or distinct(right) < ENOUGH or first.wanted.shape[-1 if axis is None else axis] < 3:
        return 0
    if axis is not None:
        others = tuple(one for one in range(first.wanted.ndim) if one != axis % first.wanted.ndim)
        if (where_wrong(first).any(others) != where(first).any(others)).any():
            return 0
    return int(where(first).sum())


def _lines_at(e: Example, axis: int, among: Callable[[int], range]) -> np.ndarray:
    """True on certain lines along an axis."""
    there = np.zeros(e.wanted.shape, dtype=bool)
    np.moveaxis(there, axis, 0)[[*among(e.wanted.shape[axis])]] = True
    return there


def _is_square(e: Example) -> bool:
    return e.wanted.ndim > 1 and e.wanted.shape[-1] == e.wanted.shape[-2]
