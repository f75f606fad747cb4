"""Relations that tell a result from the expected one by its axes: one lost or added, in another order, summed over, one of many."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from attnlab.diagnosis.relations.patterns import Example, Pair, Pattern, Texts, axes_of, line, long_enough, without
from attnlab.diagnosis.results.compare import close

TEXTS: dict[str, Texts] = {
    "axis lost": (
        "the numbers are right; an axis of length 1 is missing: an index, `squeeze` or a sum without `keepdims=True` takes one away",
        "keep the axis: `keepdims=True`, or a slice `i:i+1`",
    ),
    "axis added": (
        "the numbers are right, and there is an axis of length 1 too many",
        "which line adds it? An index `[0]` or `squeeze` takes it away",
    ),
    "transposed": (
        "the result is transposed: rows and columns changed places",
        "which line makes rows of columns, or columns of rows? Exchange its axes",
    ),
    "axes": ("the numbers are right, and the axes stand in another order: {}", "which line gives the axes their order? Write the shapes beside it"),
    "reshaped": (
        "the numbers are right and stand in the right order, only their shape is another one",
        "which line joins or splits axes? Write the shape of every line in a comment",
    ),
    "summed": ("the result is the expected one summed over {}", "one sum too many: which line adds up what should stay apart?"),
    "averaged": ("the result is the mean of the expected one over {}", "one mean too many: which line puts together what should stay apart?"),
    "largest": ("the result holds the largest numbers of the expected one along {}", "which line takes a maximum of the result?"),
    "diagonal": ("the result is the diagonal of the expected one", "which line pairs 0 with 0, 1 with 1, and leaves out all other pairs?"),
    "trace": ("the result is the sum of the expected diagonal", "which line takes only equal indices and adds them up?"),
    "one only": ("only {} of the expected result comes back", "which line takes one of several, or ends before the others are made?"),
    "some missing": ("the result is the expected one without {}", "where do your loops, ranges and slices begin and end?"),
    "one of two": ("only the {} comes back", "which line takes one of several? And where do your ranges and slices end?"),
    "repeated": ("the expected result stands there several times, along {}", "which line adds that axis, or repeats what is there once?"),
    "to be summed": ("summed over {}, the result would be the expected one", "which sum of the card is missing?"),
    "to be averaged": ("the mean of the result over {} would be the expected one", "which sum or mean of the card is missing?"),
    "diagonal wanted": ("the expected result is the diagonal of this one", "the card wants each only with its own: index 0 with 0, 1 with 1"),
    "on a diagonal": ("the expected numbers stand on the diagonal of a matrix", "which line makes a matrix of them?"),
    "some too many": ("the result is the expected one, and {} too many", "where do your loops, ranges and slices begin and end?"),
}


REDUCED = {"summed": np.sum, "averaged": np.mean, "largest": np.max}  # diagonals come before: they may be the largest
ENDS = ((0, "first"), (-1, "last"))


def with_another_shape(examples: list[Example]) -> Iterator[Pattern]:
    """The relations in which axes are lost, added, exchanged, shorter or longer."""
    axes, rank = axes_of(examples)
    yield from _same_numbers(rank)
    yield from _fewer_numbers(axes, rank)
    yield from _more_numbers(axes, rank)


def _same_numbers(rank: int) -> Iterator[Pattern]:
    yield Pattern("axis lost", "", lambda e: (_in_shape(e.wanted, e.got), e.got) if _squeezed(e) and e.got.ndim < e.wanted.ndim else None)
    yield Pattern("axis added", "", lambda e: (_in_shape(e.wanted, e.got), e.got) if _squeezed(e) and e.got.ndim > e.wanted.ndim else None)
    yield Pattern("transposed", "", lambda e: (np.swapaxes(e.wanted, -1, -2), e.got) if e.wanted.ndim > 1 else None, _is_large)
    for order in list(itertools.permutations(range(rank)))[1:] if 2 < rank < 5 else ():
        word = ", ".join(f"your axis {place} is the expected axis {axis}" for place, axis in enumerate(order) if place != axis)
        yield Pattern("axes", word, lambda e, order=order: (e.wanted.transpose(order), e.got))
    yield Pattern("reshaped", "", lambda e: (_in_shape(e.wanted, e.got), e.got) if e.wanted.size == e.got.size else None)


def _fewer_numbers(axes: range, rank: int) -> Iterator[Pattern]:
    yield Pattern("diagonal", "", lambda e: (np.diagonal(e.wanted, 0, -2, -1), e.got) if e.wanted.ndim > 1 else None)
    yield Pattern("trace", "", lambda e: (np.asarray(np.trace(e.wanted)), e.got) if e.wanted.ndim == 2 else None)
    for family, reduced in REDUCED.items():
        for axis in axes if rank != 1 else ():
            for kept in (False, True):
                yield Pattern(
                    family,
                    f"axis {axis}",
                    lambda e, do=reduced, axis=axis, kept=kept: (do(e.wanted, axis=axis, keepdims=kept), e.got),
                    long_enough(axis, 2),
                )
        yield Pattern(family, "all axes", lambda e, do=reduced: (np.asarray(do(e.wanted)), e.got))
    for axis, (at, which), kept in itertools.product(axes, ENDS, (False, True)):
        yield Pattern(
            "one only",
            f"the {which} {line(axis, rank)}",
            lambda e, axis=axis, at=[at] if kept else at: (np.take(e.wanted, at, axis), e.got),
            long_enough(axis, 3 if kept else 2),
        )
    for axis, (at, which) in itertools.product(axes, ENDS):
        yield Pattern(
            "some missing", f"the {which} {line(axis, rank)}", lambda e, axis=axis, at=at: (without(e.wanted, at, axis), e.got), long_enough(axis, 3)
        )
    for axis, (at, which) in itertools.product(axes, ENDS):
        yield Pattern(
            "one of two",
            f"{which} of the two expected entries along axis {axis}",
            lambda e, axis=axis, at=at: (np.take(e.wanted, [at], axis), e.got) if e.wanted.shape[axis] < 3 else None,
            long_enough(axis, 2),
        )


def _more_numbers(axes: range, rank: int) -> Iterator[Pattern]:
    for axis in range(rank + 1):
        yield Pattern("repeated", f"a new axis {axis}", lambda e, axis=axis: _spread(e, axis))
    for axis in axes:
        yield Pattern("repeated", f"axis {axis}", lambda e, axis=axis: _tiled(e, axis))
    for family, reduced in (("to be summed", np.sum), ("to be averaged", np.mean)):
        for axis in range(rank + 1):
            yield Pattern(family, f"axis {axis}", lambda e, do=reduced, axis=axis: (do(e.got, axis=axis), e.wanted) if _has_one_more(e) else None)
    yield Pattern(
        "diagonal wanted",
        "",
        lambda e: (np.diagonal(e.got, 0, -2, -1), e.wanted) if _has_one_more(e) and e.got.ndim > 1 else None,
        lambda e: not _is_diagonal(e.got),
    )
    yield Pattern("on a diagonal", "", lambda e: (np.diag(e.wanted), e.got) if e.wanted.ndim == 1 else None)
    for axis, (at, which) in itertools.product(axes, ENDS):
        yield Pattern(
            "some too many",
            f"one {line(axis, rank)}, the {which},",
            lambda e, axis=axis, at=at: (without(e.got, at, axis), e.wanted) if e.got.ndim == e.wanted.ndim else None,
        )


def _in_shape(array: np.ndarray, other: np.ndarray) -> np.ndarray:
    return array.reshape(other.shape)


def _is_large(e: Example) -> bool:
    return e.wanted.size > 1


def _has_one_more(e: Example) -> bool:
    return e.got.ndim == e.wanted.ndim + 1


def _spread(e: Example, axis: int) -> Pair | None:
    """The expected result several times along a new axis."""
    if not _has_one_more(e) or e.got.shape[axis] < 2 or e.got.shape[:axis] + e.got.shape[axis + 1 :] != e.wanted.shape:
        return None
    return np.broadcast_to(np.expand_dims(e.wanted, axis), e.got.shape), e.got


def _squeezed(e: Example) -> bool:
    return [n for n in e.got.shape if n != 1] == [n for n in e.wanted.shape if n != 1]


def _is_diagonal(array: np.ndarray) -> bool:
    return not array[..., ~np.eye(*array.shape[-2:], dtype=bool)].any()


def _tiled(e: Example, axis: int) -> Pair | None:
    if e.got.ndim != e.wanted.ndim or not e.wanted.shape[axis] or e.got.shape[axis] <= e.wanted.shape[axis]:
        return None
    times = e.got.shape[axis] // e.wanted.shape[axis]
    whole = next(
        (
            made
            for made in (np.concatenate([e.wanted] * times, axis), np.repeat(e.wanted, times, axis))
            if made.shape == e.got.shape and close(made, e.got, e.tolerance)
        ),
        None,
    )
    return None if whole is None else (whole, e.got)
