"""Relations of results whose shape is another one: numbers that are fewer, more, or in another order of axes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

from attnlab.diagnosis.cause import enumerated
from attnlab.diagnosis.relations.families import (
    Example,
    Pair,
    Pattern,
    Texts,
    axes_of,
    line,
    lines,
    long_enough,
    recut,
)
from attnlab.diagnosis.results.form import close

SHAPE_TEXTS: dict[str, Texts] = {
    "axis lost": (
        "the numbers are right, but an axis of length 1 is missing: an index, `squeeze` or a sum without `keepdims=True` removes one, "
        "and so does a function that gives a single thing where there is only one",
        "which line gives the shape without it? `keepdims=True` or a slice `i:i+1` keeps an axis",
    ),
    "axis added": (
        "the numbers are right, but there is an extra axis of length 1",
        "which line adds it, and is it needed there?",
    ),
    "transposed": (
        "the result is transposed: rows and columns are swapped",
        "which line turns rows into columns, or columns into rows? Swap its axes",
    ),
    "axes": ("the numbers are right, but the axes are in a different order: {}", "which line sets the order of the axes? Write the shapes beside it"),
    "joined": (
        "the numbers are right, but all axes in front of the last two are one axis: they were joined, and not taken apart again",
        "keep the shape that they have before they are joined, and `reshape` the result to it",
    ),
    "reshaped": (
        "the numbers are right and in the right order; only the shape is different",
        "which line joins or splits axes? Write the shape of each line's result in a comment",
    ),
    "recut": (
        "the numbers are the expected ones, but in another order and in another shape: yours begin with the expected {}",
        "write the shape beside every line: which axes does `reshape` or `view` join or cut, and in which order?",
    ),
    "summed": ("the result is the expected one summed over {}", "one sum too many: which line adds up numbers that should stay separate?"),
    "averaged": ("the result is the mean of the expected one over {}", "one mean too many: which line averages numbers that should stay separate?"),
    "largest": ("the result is the maximum of the expected one over {}", "which line takes a maximum of the result?"),
    "diagonal": (
        "the result is the diagonal of the expected one",
        "which line pairs only equal indices (0 with 0, 1 with 1) and leaves out all other pairs?",
    ),
    "trace": ("the result is the sum of the expected diagonal", "which line adds up only the entries with equal indices?"),
    "one only": ("only {} of the expected result is returned", "which line takes one of several, or stops before the others are computed?"),
    "one missing": ("the result is the expected one without {}", "where do your loops, ranges and slices begin and end?"),
    "several missing": ("the result is the expected one without {}", "where do your loops, ranges and slices begin and end?"),
    "zeros missing": ("the result is the expected one without {}, which belong there as zeros", "keep the shape, and set their numbers to 0"),
    "one of two": ("only the {} is returned", "which line takes one of several? And where do your ranges and slices end?"),
    "repeated": ("the expected result is repeated along {}", "which line adds that axis or repeats the numbers?"),
    "to be summed": ("a sum is missing: the result summed over {} is the expected one", "where does the card take that sum?"),
    "to be averaged": ("a mean is missing: the mean of the result over {} is the expected one", "where does the card take that mean, or a sum?"),
    "diagonal wanted": ("the expected numbers are the diagonal of the result", "the card pairs only equal indices: 0 with 0, 1 with 1"),
    "on a diagonal": ("the expected numbers are on the diagonal of a matrix", "which line puts them into a matrix?"),
    "one too many": ("the result is the expected one with {}", "where do your loops, ranges and slices begin and end?"),
    "several too many": ("the result is the expected one with {}", "where do your loops, ranges and slices begin and end?"),
}


REDUCED = {"summed": np.sum, "averaged": np.mean, "largest": np.max}  # diagonals come before: they may be the largest


ENDS = ((0, "first"), (-1, "last"))


def with_another_shape(examples: list[Example]) -> Iterator[Pattern]:
    """The relations in which axes are lost, added, exchanged, shorter or longer."""
    axes, rank = axes_of(examples)
    yield from _same_numbers(rank)
    if any(e.got.shape != e.wanted.shape for e in examples):
        yield from recut(examples)
    yield from _fewer_numbers(examples, axes, rank)
    yield from _more_numbers(examples, axes, rank)


def _same_numbers(rank: int) -> Iterator[Pattern]:
    yield Pattern("axis lost", "", lambda e: (_in_shape(e.wanted, e.got), e.got) if _squeezed(e) and e.got.ndim < e.wanted.ndim else None)
    yield Pattern("axis added", "", lambda e: (_in_shape(e.wanted, e.got), e.got) if _squeezed(e) and e.got.ndim > e.wanted.ndim else None)
    yield Pattern("transposed", "", lambda e: (np.swapaxes(e.wanted, -1, -2), e.got) if e.wanted.ndim > 1 else None, _is_large)
    for order in list(itertools.permutations(range(rank)))[1:] if 2 < rank < 5 else ():
        word = ", ".join(f"your axis {place} is the expected axis {axis}" for place, axis in enumerate(order) if place != axis)
        yield Pattern("axes", word, lambda e, order=order: (e.wanted.transpose(order), e.got))
    yield Pattern("joined", "", lambda e: (_in_shape(e.wanted, e.got), e.got) if _is_joined(e) else None)
    yield Pattern("reshaped", "", lambda e: (_in_shape(e.wanted, e.got), e.got) if e.wanted.size == e.got.size else None)


def _is_joined(e: Example) -> bool:
    return e.wanted.ndim > 1 and e.got.shape == (math.prod(e.wanted.shape[:-2]), *e.wanted.shape[-2:])


def _fewer_numbers(examples: list[Example], axes: range, rank: int) -> Iterator[Pattern]:
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
    for axis in axes:
        if told := _which([(e.got, e.wanted) for e in examples], axis, rank, MISSING):
            family = "zeros missing" if all(_is_zero_elsewhere(e.got, e.wanted, axis) for e in examples) else f"{told[0]} missing"
            yield Pattern(family, told[1], lambda e, axis=axis: _kept(e.got, e.wanted, axis), long_enough(axis, 3))
    for axis, (at, which) in itertools.product(axes, ENDS):
        yield Pattern(
            "one of two",
            f"{which} of the two expected entries along axis {axis}",
            lambda e, axis=axis, at=at: (np.take(e.wanted, [at], axis), e.got) if e.wanted.shape[axis] < 3 else None,
            long_enough(axis, 2),
        )


def _more_numbers(examples: list[Example], axes: range, rank: int) -> Iterator[Pattern]:
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
    for axis in axes:
        if told := _which([(e.wanted, e.got) for e in examples], axis, rank, ADDED):
            yield Pattern(f"{told[0]} too many", told[1], lambda e, axis=axis: _kept(e.wanted, e.got, axis))


MISSING = ("the {end} {line}", "the {end} {count} {lines}", "the {end} {lines}", "some {lines}, here {numbers}")


ADDED = ("an extra {line}: the {end} one", "{count} extra {lines} at the {side}", "extra {lines} at the {side}", "extra {lines}, here {numbers}")


def _which(pairs: list[Pair], axis: int, rank: int, words: tuple[str, ...]) -> tuple[str, str] | None:
    """Which indices of an axis the first array of each pair lacks: how many, and in words; None where it is no part of the second."""
    found = [_left_out(part, whole, axis) for part, whole in pairs if part.size]
    if not found or None in found:
        return None
    counts = {len(one) for one in found if one}
    at_first, at_last = (all(one == [*range(*ends(len(one)))] for one in found if one) for ends in (lambda n: (0, n), lambda n: (-n, 0)))
    kind = 3 if not (at_first or at_last) else 2 if len(counts) > 1 else 1 if min(counts) > 1 else 0
    told = words[kind].format(
        end="first" if at_first else "last",
        side="beginning" if at_first else "end",
        line=line(axis, rank),
        lines=lines(axis, rank),
        count=min(counts),
        numbers=enumerated(found[0] or []),
    )
    return "several" if kind else "one", told


def _is_zero_elsewhere(part: np.ndarray, whole: np.ndarray, axis: int) -> bool:
    """Whether the indices of an axis that the part lacks hold zeros alone."""
    left_out = _left_out(part, whole, axis)
    return bool(left_out) and not np.take(whole, left_out or [], axis).any()


def _left_out(part: np.ndarray, whole: np.ndarray, axis: int) -> list[int] | None:
    """The indices of an axis that the part lacks, those behind it as negative ones; None where it is no part of the whole."""
    if part.ndim != whole.ndim or not -whole.ndim <= axis < whole.ndim:
        return None
    short, long = np.moveaxis(part, axis, 0), np.moveaxis(whole, axis, 0)
    more = len(long) - len(short)
    if short.shape[1:] != long.shape[1:] or more <= 0:
        return None
    for left_out in ([*range(more)], [*range(-more, 0)]):
        if close(np.delete(long, left_out, 0), short, 1e-5):
            return left_out
    kept = [-1]
    for one in short:
        place = next((place for place in range(kept[-1] + 1, len(long)) if close(long[place], one, 1e-5)), None)
        if place is None:
            return None
        kept.append(place)
    return [place for place in range(len(long)) if place not in kept]


def _kept(part: np.ndarray, whole: np.ndarray, axis: int) -> Pair | None:
    """The whole without what the part lacks, and the part."""
    left_out = _left_out(part, whole, axis)
    return None if left_out is None else (np.delete(whole, left_out, axis), part)


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
