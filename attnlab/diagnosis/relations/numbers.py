"""Relations between a result and the expected one of the same shape: entry by entry, along an axis, in a part of the matrix."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from attnlab.diagnosis.relations.patterns import Example, Pair, Pattern, Texts, axes_of, distinct, line, long_enough

TEXTS: dict[str, Texts] = {
    "plus": ("every entry is off by the same amount", "look for a constant that is added or left out"),
    "function": ("the result is {} the expected one", "which line does one step too many, or leaves out the one that undoes it?"),
    "one minus": ("the result is 1 minus the expected one", "what is kept and what is left out have changed places"),
    "reversed": ("the result is the expected one in reverse order along {}", "which loop, index or step of -1 gives the order?"),
    "shifted": ("the result is the expected one shifted by {}", "is an index one too large or too small?"),
    "sorted": ("the result holds the expected numbers sorted along {}", "which line sorts? The order is the one in which the input stands"),
    "order": ("the rows are the expected ones in another order", "which loop or index gives their order?"),
    "columns": ("the columns are the expected ones in another order", "which loop or index gives their order?"),
    "same everywhere": ("in place of every {}", "which index should change? And an array that is filled again is still the same one"),
    "summed everywhere": ("every {}", "is there a total of its own for each of them, which begins at zero?"),
    "running": (
        "the result is a running total of the expected one along {}: each entry holds the sum of those before it, too",
        "set the total back to zero for each of them",
    ),
    "differences": (
        "each entry along {} lacks those before it: a running total of the result would be the expected one",
        "is something subtracted that belongs to the one before, or should the total go on?",
    ),
    "only filled": ("only {} is filled, and all others are zero", "does the loop come to an end in its first round, or is only one index written?"),
    "left at zero": ("{} is zero, and everything else is right", "where do your loops, ranges and slices begin and end?"),
    "part at zero": ("{}, and everything else is right", "which pairs of indices do your loops and conditions leave out?"),
    "diagonal times": (
        "the diagonal is 2 times the expected one, and everything else is right",
        "which lines both add to the pairs of equal indices?",
    ),
    "diagonal wrong": ("{}", "how do your lines treat pairs of equal indices, and how all others?"),
    "lines at zero": ("some {}s are zero, and all others are right", "which condition, loop or index leaves them out?"),
    "own factor": ("each {} is the expected one times a factor of its own", "by what is it divided or multiplied, and by what should it be?"),
    "own amount": ("each {} is the expected one plus an amount of its own", "what is added to it as a whole, or left out?"),
}
ENDS = ((0, "first"), (-1, "last"))
FUNCTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "the square of": np.square,
    "the square root of": np.sqrt,
    "the exponential of": np.exp,
    "the logarithm of": np.log,
    "the logarithm to base 2 of": np.log2,
    "1 divided by": np.reciprocal,
    "the absolute value of": np.abs,
    "minus the exponential of": lambda a: -np.exp(a),
    "minus the logarithm of": lambda a: -np.log(a),
    "minus the square of": lambda a: -np.square(a),
}


def with_other_numbers(examples: list[Example]) -> Iterator[Pattern]:
    """The relations of numbers at the same places, or at other places of the same shape."""
    axes, rank = axes_of(examples)
    yield from _entry_by_entry()
    yield from _along(axes, rank)
    yield from _in_a_matrix()
    yield from _of_its_own()


def _entry_by_entry() -> Iterator[Pattern]:
    yield Pattern("one minus", "", lambda e: (1 - e.wanted, e.got))
    yield Pattern("plus", "", lambda e: (e.wanted + (e.got - e.wanted).ravel()[0], e.got) if e.got.shape == e.wanted.shape else None, _many)
    for word, function in FUNCTIONS.items():
        yield Pattern("function", word, lambda e, function=function: (function(e.wanted), e.got))


def _along(axes: range, rank: int) -> Iterator[Pattern]:
    for axis in axes:
        yield Pattern("reversed", f"axis {axis}", lambda e, axis=axis: (np.flip(e.wanted, axis), e.got), long_enough(axis, 3))
    for axis, (step, which) in itertools.product(axes, ((1, "end"), (-1, "beginning"))):
        yield Pattern(
            "shifted",
            f"one towards the {which} along axis {axis}",
            lambda e, axis=axis, step=step: (np.roll(e.wanted, step, axis), e.got),
            long_enough(axis, 3),
        )
    for axis in axes:
        yield Pattern("sorted", f"axis {axis}", lambda e, axis=axis: (np.sort(e.wanted, axis), e.got), long_enough(axis, 3))
    yield Pattern("order", "", lambda e: (_in_order(e.wanted), _in_order(e.got)) if _is_matrix(e) else None, long_enough(0, 2))
    yield Pattern("columns", "", lambda e: (_in_order(e.wanted.T), _in_order(e.got.T)) if _is_matrix(e) else None, long_enough(1, 2))
    if rank != 1:
        yield from _over_lines(axes, rank)
    for axis in axes:
        yield Pattern("running", f"axis {axis}", lambda e, axis=axis: (np.cumsum(e.wanted, axis), e.got), long_enough(axis, 2))
    for axis in axes:
        yield Pattern("differences", f"axis {axis}", lambda e, axis=axis: (np.cumsum(e.got, axis), e.wanted), long_enough(axis, 3))
    for axis, (at, which) in itertools.product(axes, ENDS):
        yield Pattern(
            "only filled", f"the {which} {line(axis, rank)}", lambda e, axis=axis, at=at: (_only(e.wanted, at, axis), e.got), long_enough(axis, 3)
        )
    for axis, (at, which) in itertools.product(axes, ENDS):
        yield Pattern(
            "left at zero",
            f"the {which} {line(axis, rank)}",
            lambda e, axis=axis, at=at: (e.wanted - _only(e.wanted, at, axis), e.got),
            long_enough(axis, 3),
        )


def _over_lines(axes: range, rank: int) -> Iterator[Pattern]:
    for axis, (at, which) in itertools.product(axes, ENDS):
        yield Pattern(
            "same everywhere",
            f"{line(axis, rank)} stands the {which} expected {line(axis, rank)}",
            lambda e, axis=axis, at=at: (np.broadcast_to(np.take(e.wanted, [at], axis), e.wanted.shape), e.got),
            long_enough(axis, 2),
        )
    for axis, (word, reduced) in itertools.product(axes, (("sum", np.sum), ("mean", np.mean))):
        yield Pattern(
            "summed everywhere",
            f"{line(axis, rank)} is the {word} of all that are expected",
            lambda e, axis=axis, do=reduced: (np.broadcast_to(do(e.wanted, axis=axis, keepdims=True), e.wanted.shape), e.got),
            long_enough(axis, 2),
        )


def _in_a_matrix() -> Iterator[Pattern]:
    for word, keep in PARTS.items():
        yield Pattern(
            "part at zero", word, lambda e, keep=keep: (np.where(keep(e.wanted), e.wanted, 0), e.got) if _square(e) else None, long_enough(-1, 3)
        )
    yield Pattern("diagonal times", "", lambda e: _diagonal_times(e, 2.0), long_enough(-1, 3))
    for word, beside in (
        ("everything beside the diagonal is right, and entries on it are wrong", True),
        ("the diagonal is right, and entries beside it are wrong", False),
    ):
        yield Pattern(
            "diagonal wrong",
            word,
            lambda e, beside=beside: _right_there(e, beside),
            lambda e, beside=beside: len(e.wanted) > 2 and not _is_right_elsewhere(e, beside),
        )


def _zero_lines(example: Example, rows: bool) -> Pair | None:
    """The expected numbers with zeros in those rows or columns that are zero."""
    if example.got.ndim < 2 or example.got.shape != example.wanted.shape:
        return None
    zero = ~example.got.any(axis=-1 if rows else -2, keepdims=True)
    return (np.where(zero, 0, example.wanted), example.got) if zero.any() and not zero.all() else None


def _of_its_own() -> Iterator[Pattern]:
    for word, rows in (("row", True), ("column", False)):
        yield Pattern("lines at zero", word, lambda e, rows=rows: _zero_lines(e, rows))
    for word, rows in (("row", True), ("column", False)):  # of a batch: along the last axis
        yield Pattern("own factor", word, lambda e, rows=rows: _scaled_lines(e, rows), lambda e, rows=rows: _constraints(e, rows) >= 4)
    for word, rows in (("row", True), ("column", False)):
        yield Pattern("own amount", word, lambda e, rows=rows: _moved_lines(e, rows), lambda e, rows=rows: _constraints(e, rows) >= 4)


PARTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "the last row and the last column are zero": lambda a: _line_of(a, -1, -2) & _line_of(a, -1, -1),
    "the first row and the first column are zero": lambda a: _line_of(a, 0, -2) & _line_of(a, 0, -1),
    "the diagonal is zero": lambda a: ~np.eye(len(a), dtype=bool),
    "only the diagonal is filled": lambda a: np.eye(len(a), dtype=bool),
    "all above the diagonal is zero": lambda a: np.tri(len(a), dtype=bool),
    "all below the diagonal is zero": lambda a: np.tri(len(a), dtype=bool).T,
    "the diagonal and all above it is zero": lambda a: np.tri(len(a), k=-1, dtype=bool),
    "the diagonal and all below it is zero": lambda a: np.tri(len(a), k=-1, dtype=bool).T,
}


def _many(e: Example) -> bool:
    return e.got.size > 1


def _is_matrix(e: Example) -> bool:
    return e.got.shape == e.wanted.shape and e.got.ndim == 2


def _square(e: Example) -> bool:
    return e.wanted.ndim == 2 and e.wanted.shape[0] == e.wanted.shape[1]


def _line_of(array: np.ndarray, at: int, axis: int) -> np.ndarray:
    """True everywhere but at one index of an axis."""
    kept = np.ones(array.shape, dtype=bool)
    np.moveaxis(kept, axis, 0)[at] = False
    return kept


def _only(array: np.ndarray, at: int, axis: int) -> np.ndarray:
    return np.where(_line_of(array, at, axis), 0, array)


def _in_order(rows: np.ndarray) -> np.ndarray:
    return rows[np.lexsort(np.round(rows, 6).T)] if rows.size else rows


def _others(e: Example, rows: bool) -> tuple[int, ...]:
    """The axes that one row, or one column, runs along."""
    return (-1,) if rows else tuple(range(e.wanted.ndim - 1))


def _scaled_lines(e: Example, rows: bool) -> Pair | None:
    """The expected result with every row, or every column, times the factor that fits best."""
    if e.got.shape != e.wanted.shape or e.wanted.ndim < 2:
        return None
    squares = (e.wanted**2).sum(_others(e, rows), keepdims=True)
    fits = (e.got * e.wanted).sum(_others(e, rows), keepdims=True) / np.where(squares > 0, squares, 1)
    return fits * e.wanted, e.got


def _moved_lines(e: Example, rows: bool) -> Pair | None:
    if e.got.shape != e.wanted.shape or e.wanted.ndim < 2:
        return None
    return e.wanted + (e.got - e.wanted).mean(_others(e, rows), keepdims=True), e.got


def _constraints(e: Example, rows: bool) -> int:
    """How many numbers are left to show that each row, or each column, has a number of its own; 0 where expected ones have that to one another."""
    lines = e.wanted.reshape(-1, e.wanted.shape[-1])
    lines = lines if rows else lines.T
    around = lines - lines.mean(axis=1, keepdims=True)
    scaled = lines / np.where(lines[:, :1] == 0, 1, lines[:, :1])
    if any(np.allclose(alike, alike[0], atol=1e-6) for alike in (around, scaled)):
        return 0
    return sum(max(distinct(one[one != 0]) - 1, 0) for one in lines)


def _diagonal_times(e: Example, factor: float) -> Pair | None:
    return (np.where(np.eye(len(e.wanted), dtype=bool), factor, 1.0) * e.wanted, e.got) if _square(e) else None


def _right_there(e: Example, beside: bool) -> Pair | None:
    """The entries beside the diagonal, or on it."""
    if not _square(e) or e.got.shape != e.wanted.shape:
        return None
    there = np.eye(len(e.wanted), dtype=bool) != beside
    return e.wanted[there], e.got[there]


def _is_right_elsewhere(e: Example, beside: bool) -> bool:
    """Whether one of the other entries is right, too."""
    elsewhere = np.eye(len(e.wanted), dtype=bool) == beside
    return bool(np.isclose(e.got[elsewhere], e.wanted[elsewhere], rtol=e.tolerance, atol=e.tolerance).any())
