"""What it takes to say that a wrong result is related to the expected one: the relation holds on every input that comes out wrong."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.results.compare import close

Pair = tuple[np.ndarray, np.ndarray]  # two arrays that are equal where a relation holds
Texts = tuple[str, str]  # what to say of a relation, and the next step; `{}` stands for what differs between its patterns
RESULT = "the result"  # what texts call the part that is wrong


@dataclass(frozen=True)
class Example:
    """One result of an answer beside the expected one, and what went in.

    Attributes:
        tolerance: the relative difference that is only rounding.
        arrays: the arguments that are arrays, by name.
        sizes: numbers that belong to the input, by what to call them: the lengths of axes, settings.
        others: the expected values of the other parts, when the result is a tuple.
    """

    got: np.ndarray
    wanted: np.ndarray
    tolerance: float = 1e-5
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    sizes: dict[str, float] = field(default_factory=dict)
    others: dict[str, np.ndarray] = field(default_factory=dict)


class Pattern(NamedTuple):
    """One relation that may hold.

    Attributes:
        family: its key in a table of texts.
        word: what stands in these texts for `{}`.
        test: gives two arrays that have to be equal; None where the relation cannot hold.
        tells: whether an example is large enough for the relation to mean something; None for all that have three numbers to show.
    """

    family: str
    word: str
    test: Callable[[Example], Pair | None]
    tells: Callable[[Example], bool] | None = None


def find(patterns: Iterator[Pattern], texts: Mapping[str, Texts], examples: list[Example], result: str) -> Cause | None:
    """The first family of patterns in which one is established: all of the family that are, joined by "or".

    Args:
        patterns: what may hold.
        texts: what to say, and the next step, for each family.
        examples: the results that are wrong.
        result: what to call them.
    """
    with np.errstate(all="ignore"):
        for family, members in itertools.groupby(patterns, key=lambda pattern: pattern.family):
            words = list(dict.fromkeys(member.word for member in members if holds(member, examples)))
            if words:
                told, next_step = (text.replace("{}", " or ".join(words[:2])).replace(RESULT, result) for text in texts[family])
                return Cause(f"relations.{family}", told, next_step)
    return None


def holds(pattern: Pattern, examples: list[Example]) -> bool:
    """Whether a relation holds for all examples, and one of them is large enough to show it."""
    shown, large, numbers = False, False, set()
    for example in examples:
        try:
            pair = pattern.test(example)
        except (ValueError, IndexError):  # the shapes of these arrays do not fit the relation
            return False
        if pair is None or not agree(pair, example):
            return False
        enough = pattern.tells is None or pattern.tells(example)
        large |= enough
        shown |= enough and distinct(pair[1]) >= 3 and not (pair[1] is example.got and close(pair[0], example.wanted, example.tolerance))
        if pair[1].size == 1:
            numbers.add(round(float(pair[1].item()), 9))
    return shown or (large and len(numbers - {-1.0, 0.0, 1.0}) > 1 and all(example.got.size == 1 for example in examples))


def agree(pair: Pair, example: Example) -> bool:
    """Whether two arrays hold the same finite numbers."""
    return all(np.isfinite(array).all() for array in pair) and close(*pair, example.tolerance)


def distinct(array: np.ndarray) -> int:
    """How many different numbers stand in an array."""
    return len(np.unique(np.round(array, 9)))


def axes_of(examples: list[Example]) -> tuple[range, int]:
    """The axes of the expected results, by numbers that mean the same in every example, and how many there are; 0 where that differs."""
    ranks = {example.wanted.ndim for example in examples}
    return (range(max(ranks)), max(ranks)) if len(ranks) == 1 else (range(-1, -min(ranks) - 1, -1), 0)


def line(axis: int, rank: int) -> str:
    """What to call one index of an axis."""
    return ("row", "column")[axis] if rank == 2 else "entry" if rank == 1 else f"entry along axis {axis}"


def long_enough(axis: int, least: int) -> Callable[[Example], bool]:
    """Whether an axis of the expected result is long enough to tell one pattern from another."""
    return lambda example: -example.wanted.ndim <= axis < example.wanted.ndim and example.wanted.shape[axis] >= least


def without(array: np.ndarray, at: int, axis: int) -> np.ndarray:
    """An array without one index of an axis; the array itself where it has no such axis."""
    return np.delete(array, at, axis) if -array.ndim <= axis < array.ndim and array.shape[axis] else array
