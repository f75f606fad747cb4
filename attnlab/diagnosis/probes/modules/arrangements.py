"""Where each number went: `split_heads` and `merge_heads` are given an array of different numbers, with axes of different lengths."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence
from attnlab.reference import Case

LENGTHS = {"B": 2, "T": 3, "heads": 5, "s": 7}  # no two products of them are equal
WHAT = {"B": "sequence", "T": "token", "heads": "head", "s": "component of a head"}
SHAPES = "write the shape of every line in a comment: which axis indexes tokens, and which one heads?"
ENDS = "which line takes one of several, or takes one twice? Where do your loops, ranges and slices begin and end?"
Order = tuple[int, ...]


class Way(NamedTuple):
    """What moves the numbers of an array: its axes in another order, the numbers read with other lengths, these axes in another order."""

    first: Order
    read_as: tuple[str, ...]
    then: Order

    def steps(self) -> int:
        """How many of the three steps do something, or do something unusual."""
        return (self.first != tuple(sorted(self.first))) + bool(self.read_as) + (self.then != tuple(sorted(self.then)))


class Task(NamedTuple):
    """What an exercise takes and what is right: the names of its axes, further arguments, and the way that the card goes, also in words."""

    names: tuple[str, ...]
    more: list[int]
    right: Way
    card: str


TASKS = {
    "split_heads": Task(
        ("B", "T", "heads·s"),
        [LENGTHS["heads"]],
        Way((0, 1, 2), ("B", "T", "heads", "s"), (0, 2, 1, 3)),
        "the card first splits the last axis of `x` into (heads, s), then swaps the token and head axes",
    ),
    "merge_heads": Task(
        ("B", "heads", "T", "s"),
        [],
        Way((0, 2, 1, 3), ("B", "T", "heads·s"), (0, 1, 2)),
        "the card first swaps the head and token axes, then joins heads and components",
    ),
}


def probe_arrangement(evidence: Evidence, case: Case) -> Cause | None:
    """How the numbers are arranged, when all of them are there once."""
    task = TASKS[evidence.name]
    counted, got = _asked(evidence, task)
    found = [way for way in _ways(task.names) if np.array_equal(_moved(counted, way).ravel(), got.ravel())]
    if not found or np.array_equal(got, _moved(counted, task.right)):
        return None
    told = _words(min(found, key=Way.steps), task.names, got.shape)
    return Cause("arrangements.wrong_rearrangement", f"your result is `x`{told}; {task.card}", SHAPES)


def probe_uneven(evidence: Evidence, case: Case) -> Cause | None:
    """Which numbers are missing or stand there several times."""
    counted, got = _asked(evidence, TASKS[evidence.name])
    if not np.isin(got, np.append(counted, 0.0)).all():
        return None
    names = "·".join(TASKS[evidence.name].names).split("·")
    often = np.array([(got == number).sum() for number in counted.ravel()]).reshape([LENGTHS[name] for name in names])
    if (often == often.flat[0]).all():
        return (
            Cause("arrangements.everything_repeated", f"every number of `x` is in your result {_times(often.flat[0])}", ENDS)
            if often.flat[0] > 1
            else None
        )
    for axis, name in enumerate(names):
        along = np.moveaxis(often, axis, 0).reshape(often.shape[axis], -1)
        if (along == along[:, :1]).all():
            return Cause(
                "arrangements.slices_missing_or_repeated",
                f"for an `x` of shape {counted.shape}, not every {WHAT[name]} is in your result exactly once: {_counts(along[:, 0])}",
                ENDS,
            )
    shares = (((often == 0).mean(), "are missing"), ((often > 1).mean(), "are there several times"))
    told = " and ".join(f"{share:.0%} {what}" for share, what in shares if share)
    return Cause(
        "arrangements.numbers_missing_or_repeated",
        f"of the numbers of an `x` of shape {counted.shape}, {told} in your result",
        "each number has one place: which ranges overlap, start too late or end too early?",
    )


def _asked(evidence: Evidence, task: Task) -> tuple[np.ndarray, np.ndarray]:
    """An array of different numbers, and what the answer makes of it."""
    import torch  # here, so that lessons without tensors do not wait for it

    shape = tuple(map(_length, task.names))
    numbers = np.arange(1.0, np.prod(shape) + 1)
    counted = np.random.RandomState(3).permutation(numbers).reshape(shape)  # in no order that a maximum or a sort would keep
    return counted, as_numpy(evidence.ask_with(torch.from_numpy(counted.copy()), *task.more)).astype(float)


def _ways(names: tuple[str, ...]) -> Iterator[Way]:
    same = tuple(range(len(names)))
    for first in itertools.permutations(same):
        yield Way(first, (), same)
        for read_as in itertools.permutations(LENGTHS):
            for then in itertools.permutations(range(4)):
                yield Way(first, read_as, then)


def _moved(array: np.ndarray, way: Way) -> np.ndarray:
    turned = array.transpose(way.first)
    return turned.reshape(list(map(_length, way.read_as))).transpose(way.then) if way.read_as else turned


def _words(way: Way, names: tuple[str, ...], shape: tuple[int, ...]) -> str:
    """The steps, from `x` (with these names of its axes) to a result of that shape."""
    steps = []
    at = [names[axis] for axis in way.first]
    if way.first != tuple(sorted(way.first)):
        steps.append(f" with its axes in the order {_tuple(at)}")
    if way.read_as and list(way.read_as) != at:
        at = list(way.read_as)
        steps.append(f" read as {_tuple(at)}")
    if way.read_as and way.then != tuple(sorted(way.then)):
        at = [at[axis] for axis in way.then]
        steps.append(f" with the axes then in the order {_tuple(at)}")
    if shape != tuple(map(_length, at)):
        steps.append(f" in the shape {_tuple(map(_named, shape))}")
    return ",".join(steps) or ", unchanged"


def _tuple(names: Any) -> str:
    return f"({', '.join(names)})"


def _length(name: str) -> int:
    return int(np.prod([LENGTHS[one] for one in name.split("·")]))


def _named(length: int) -> str:
    """A length as a product of the four that there are; itself where it is none."""
    made = [name for name, one in LENGTHS.items() if length % one == 0]
    return "·".join(made) if made and int(np.prod([LENGTHS[name] for name in made])) == length else str(length)


def _counts(often: np.ndarray) -> str:
    """How often each one is there, where that is not what it is for most."""
    counts, times = np.unique(often, return_counts=True)
    usual = counts[times.argmax()]
    told = []
    for count in counts[counts != usual]:
        which = [str(number) for number in np.flatnonzero(often == count)]
        told.append(f"number{'s' if len(which) > 1 else ''} {', '.join(which)} {_times(count)}")
    return f"counted from 0, {'; '.join(told)}; all others {_times(usual)}"


def _times(count: int) -> str:
    return {0: "not at all", 1: "once"}.get(count, f"{count} times")
