"""What the inputs that come out wrong have in common, and none of those that come out right has: where to look, when the cause is not known."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause, enumerated, unknown
from attnlab.diagnosis.evidence import Evidence, right_parts
from attnlab.diagnosis.relations.relations import named
from attnlab.diagnosis.text.facts import facts_of
from attnlab.diagnosis.text.traps import DECIMALS_CUT
from attnlab.reference import Case

FEWEST_WRONG, FEWEST_RIGHT = 2, 5  # inputs; fewer would have something in common by chance
MOST_OF_THEM = 0.65  # of the inputs that have it, so many have to come out wrong
MOST_NUMBERS = 5000  # of an array that is looked at
HOLDS_DECIMALS = "holds decimals"
NEXT = "try such an input in a cell of your own, and print each result on the way"


def explain_inputs(evidence: Evidence, is_telling: bool = False) -> Cause | None:
    """What tells the inputs that come out wrong from the others; None where nothing does, or where there are too few of either.

    Args:
        evidence: what the answer gives.
        is_telling: whether all inputs that have it have to come out wrong, and lengths are not looked at, which many causes share.
    """
    if evidence.exercise.seconds is not None:  # calls that take long
        return None
    inputs = _all_inputs(evidence)
    given = [{name for name, value in named(evidence.name, one, evidence.exercise.call) if value is not None} for one in inputs]
    optional = set[str]().union(*given) - set.intersection(*given)
    evidence.results(inputs)
    right, wrong = ([one for one in inputs if evidence.is_right(one) is asked] for asked in (True, False))
    if len(wrong) < FEWEST_WRONG:
        return None
    common = list(_features(evidence, wrong[0], optional, not is_telling))
    for one in wrong[1:]:
        if not common:
            return None
        its = set(_features(evidence, one, optional, not is_telling))
        common = [what for what in common if what in its]
    of_right = [set(_features(evidence, one, optional, not is_telling)) for one in right] if common else []
    found: dict[str, float] = {}
    for what in common:
        with_it = len(wrong) + sum(what in features for features in of_right)
        if len(inputs) - with_it >= FEWEST_RIGHT:
            share = len(wrong) / with_it
            if share >= (1 if is_telling else MOST_OF_THEM) and (share == 1 or len(wrong) > FEWEST_WRONG):
                some = f"all {with_it}" if share == 1 else f"{len(wrong)} of the {with_it}"
                found[f"{some} inputs where {what} come out wrong, and no others"] = share
    return unknown("inputs.in_common", NEXT, max(found, key=found.__getitem__)) if found else None


def _all_inputs(evidence: Evidence) -> list[Case]:
    return [*evidence.cases, *itertools.chain(*evidence.drawn.values())]


def explain_cut(evidence: Evidence) -> Cause | None:
    """A line that cuts off the decimals of an argument, where the inputs that have such come out wrong, and no others."""
    cut = next((fact for fact in facts_of(evidence.answer) if fact.id == DECIMALS_CUT), None)
    if cut is None or evidence.exercise.seconds is not None:
        return None
    inputs = _all_inputs(evidence)
    with_decimals = [{what for what in _features(evidence, one, (), False) if what.endswith(HOLDS_DECIMALS)} for one in inputs]
    wrong, right = ([found for one, found in zip(inputs, with_decimals) if evidence.is_right(one) is asked] for asked in (False, True))
    telling = set.intersection(*wrong).difference(*right) if wrong else set()
    if not telling:
        return None
    words = f"in line {cut.line}, {cut.said}; the inputs of this check where {telling.pop()} come out wrong, and no others"
    return Cause("inputs.decimals_cut", words, "compute with the numbers as they are")


def explain_parts(evidence: Evidence, case: Case) -> Cause | None:
    """Which parts of a result are right, where others are not."""
    places = right_parts(evidence.result(case), case)
    right, wrong = ([f"`{name}`" for name, is_right in zip(case.parts, places) if is_right is asked] for asked in (True, False))
    if not right or not wrong:
        return None
    next_step = f"which of your lines make {enumerated(wrong)}, and not {enumerated(right)}? Print what each of them makes"
    return unknown("inputs.other_parts_right", next_step, f"{enumerated(right)} {'is' if len(right) == 1 else 'are'} right")


def _features(evidence: Evidence, case: Case, optional: Collection[str], with_lengths: bool) -> Iterator[str]:
    """What holds for an input; what is the most telling comes first. `optional`: arguments that some input does not give."""
    values = list(named(evidence.name, case, evidence.exercise.call))
    yield from (f"`{name}` is given" for name, value in values if name in optional and hasattr(value, "shape"))
    arrays = [(f"`{name}`", as_numpy(value)) for name, value in values if hasattr(value, "shape") and np.ndim(value)]
    for name, array in arrays:
        if array.dtype.kind in "iub":
            yield f"{name} holds whole numbers"
        if 0 < array.size <= MOST_NUMBERS and array.dtype.kind in "iuf":
            yield from (f"{name} {what}" for what in _of_array(array))
    for name, value in values:
        match value:
            case None | True:
                yield f"`{name}` is {value}"
            case int() | float():
                yield from (f"`{name}` is {what}" for what, holds in OF_NUMBERS.items() if holds(value))
            case list() | tuple() if with_lengths:
                yield f"`{name}` holds {'one thing' if len(value) == 1 else 'several things'}"
    if with_lengths:
        yield from _lengths(values, arrays)


def _lengths(values: list[tuple[str, Any]], arrays: list[tuple[str, np.ndarray]]) -> Iterator[str]:
    sizes = [(f"axis {axis} of {name}", length, True) for name, array in arrays for axis, length in enumerate(array.shape)]
    sizes += [(f"`{name}`", value, False) for name, value in values if type(value) is int]
    for name, length, is_axis in sizes:
        one, more = ("has the length 1", "is longer than 1") if is_axis else ("is 1", "is larger than 1")
        yield f"{name} {one if length == 1 else more}"
    for (one, length, is_axis), (other, as_long, is_another) in itertools.combinations(sizes, 2):
        same, different = ("long", "lengths") if is_axis and is_another else ("large", "sizes")
        yield f"{one} and {other} are equally {same}" if length == as_long else f"{one} and {other} have different {different}"


def _of_array(array: np.ndarray) -> Iterator[str]:
    for axis, line in ((0, "number"),) if array.ndim == 1 else ((0, "row"), (1, "column")) if array.ndim == 2 else ((0, "matrix"),):
        most = max(Counter(one.tobytes() for one in np.moveaxis(array + 0, axis, 0)).values())  # + 0: −0 is 0
        yield from (f"holds the same {line} {words} or more" for words, often in (("three times", 3), ("twice", 2)) if most >= often)
    yield from (what for what, holds in OF_ARRAYS.items() if holds(array))
    if array.ndim == 1 and array.size > 1:
        yield from (f"is in {way} order" for way, sign in (("ascending", 1), ("descending", -1)) if (sign * np.diff(array) >= 0).all())


OF_ARRAYS: dict[str, Callable[[np.ndarray], bool]] = {
    "holds a 0": lambda array: bool((array == 0).any()),
    "holds a number below 0": lambda array: bool((array < 0).any()),
    "holds no number above 0": lambda array: bool((array <= 0).all()),
    HOLDS_DECIMALS: lambda array: array.dtype.kind == "f" and bool((array % 1 != 0).any()),
}
OF_NUMBERS: dict[str, Callable[[float], bool]] = {
    "0": lambda value: value == 0,
    "below 0": lambda value: value < 0,
    "an odd number": lambda value: type(value) is int and value % 2 == 1,
    "no whole number": lambda value: value % 1 != 0,
}
