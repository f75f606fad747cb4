"""What the inputs that come out wrong have in common, and none of those that come out right has: where to look, when the cause is not known."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause, unknown
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.relations.relations import named
from attnlab.reference import Case

FEWEST_WRONG, FEWEST_RIGHT = 2, 5  # inputs; fewer would have something in common by chance
MOST_OF_THEM = 0.6  # of the inputs that have it, so many have to come out wrong
MOST_NUMBERS = 5000  # of an array that is looked at
NEXT = "call your function on such an input in a cell of your own, and print every intermediate result"


def explain_inputs(evidence: Evidence, case: Case) -> Cause | None:
    """What tells the inputs that come out wrong from the others; None where nothing does, or where there are too few of either."""
    if evidence.exercise.seconds is not None:  # calls that take long
        return None
    inputs = [*evidence.cases, *itertools.chain(*evidence.drawn.values())]
    seen = [(dict(_features(evidence, one)), evidence.is_right(one)) for one in inputs]
    wrong = [features for features, is_right in seen if not is_right]
    found: dict[str, float] = {}
    for what, holds in wrong[0].items() if len(wrong) >= FEWEST_WRONG else ():
        with_it = [is_right for features, is_right in seen if features.get(what) is holds]
        if all(one.get(what) is holds for one in wrong) and len(seen) - len(with_it) >= FEWEST_RIGHT:
            share = len(wrong) / len(with_it)
            if share >= MOST_OF_THEM and (share == 1 or len(wrong) > FEWEST_WRONG):
                which = f"inputs where {what}" if holds else f"inputs where it is not so that {what}"
                some = f"all {len(with_it)}" if share == 1 else f"{len(wrong)} of the {len(with_it)}"
                found[f"{some} {which} come out wrong, and no others"] = share
    return unknown("inputs.in_common", NEXT, max(found, key=found.__getitem__)) if found else None


def _features(evidence: Evidence, case: Case) -> Iterator[tuple[str, bool]]:
    """What may be said of an input, and whether it is so; what is the most telling comes first."""
    values = list(named(evidence.name, case, evidence.exercise.call))
    arrays = [(f"`{name}`", as_numpy(value)) for name, value in values if hasattr(value, "shape") and np.ndim(value)]
    for name, array in arrays:
        yield f"{name} holds whole numbers", array.dtype.kind in "iub"
        if 0 < array.size <= MOST_NUMBERS and array.dtype.kind in "iuf":
            one = "number" if array.ndim == 1 else "row"
            yield f"{name} holds the same {one} three times or more", _most_often(array) > 2
            yield f"{name} holds the same {one} twice or more", _most_often(array) > 1
            yield from ((f"{name} {what}", holds(array)) for what, holds in OF_ARRAYS.items())
    for name, value in values:
        if value is None or isinstance(value, (bool, int, float)):
            yield from ((f"`{name}` is {what}", holds(value)) for what, holds in OF_SETTINGS.items())
        elif isinstance(value, (list, tuple)):
            yield f"`{name}` holds one thing", len(value) == 1
    sizes = [(f"axis {axis} of {name}", length) for name, array in arrays for axis, length in enumerate(array.shape)]
    sizes += [(f"`{name}`", value) for name, value in values if type(value) is int]
    for name, length in sizes:
        yield f"{name} {'has the length' if name.startswith('axis') else 'is'} 1", length == 1
    for (one, length), (other, as_long) in itertools.combinations(sizes, 2):
        yield f"{one} and {other} are equally {'long' if one.startswith('axis') and other.startswith('axis') else 'large'}", length == as_long


def _most_often(array: np.ndarray) -> int:
    """How often the number or row is there that is there most often."""
    return int(np.unique(array, axis=0, return_counts=True)[1].max())


OF_ARRAYS: dict[str, Callable[[np.ndarray], bool]] = {
    "holds a 0": lambda array: bool((array == 0).any()),
    "holds a number below 0": lambda array: bool((array < 0).any()),
    "holds no number above 0": lambda array: bool((array <= 0).all()),
    "is in ascending order": lambda array: bool((np.diff(array, axis=0) >= 0).all()),
    "is in descending order": lambda array: bool((np.diff(array, axis=0) <= 0).all()),
}
OF_SETTINGS: dict[str, Callable[[Any], bool]] = {
    "None": lambda value: value is None,
    "True": lambda value: value is True,
    "0": lambda value: type(value) in (int, float) and value == 0,
    "below 0": lambda value: type(value) in (int, float) and value < 0,
    "an odd number": lambda value: type(value) is int and value % 2 == 1,
    "no whole number": lambda value: type(value) is float and value % 1 != 0,
}
