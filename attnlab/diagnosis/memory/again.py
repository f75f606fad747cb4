"""What one more call shows: the same input again, or the same numbers as decimals."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.results.compare import same_value
from attnlab.reference import Case

if TYPE_CHECKING:
    from attnlab.diagnosis.evidence import Evidence


def differs_again(evidence: Evidence, case: Case) -> Cause | None:
    """Whether one more call with the same input gives something else."""
    for one in [case] if evidence.is_shown(case) else [case, evidence.cases[0]]:
        try:
            again = evidence.ask(one)
        except Exception:  # the first call did not raise, or what it raises is told already
            return None
        if evidence.result(one) is not None and not same_value(again, evidence.result(one), one):
            return Cause(
                "again.two_calls_same_input",
                "two calls with the same input give different results: something is drawn at random, or goes on from call to call",
                "call your function twice in a cell of your own; what does the second call find that the first one did not?",
            )
    return None


def right_as_decimals(evidence: Evidence, case: Case) -> Cause | None:
    """Whether whole numbers come out right once they are passed in as decimals."""
    decimals = tuple(argument if _is_whole_everywhere(evidence, place) else _as_decimals(argument) for place, argument in enumerate(case.arguments))
    if all(one is other for one, other in zip(decimals, case.arguments)):
        return None
    try:
        again = evidence.ask_with(*decimals)
    except Exception:  # whole numbers are needed, such as indices
        return None
    if not same_value(again, case.expected, case):
        return None
    return Cause(
        "again.input_whole_numbers_same",
        "this input has whole numbers, and the same numbers as decimals come out right; often that is an array that takes over the type "
        "of what comes in, so that what is put into it loses its decimals",
        "look for `zeros_like`, `empty_like`, `dtype=x.dtype`, `astype(x.dtype)`; make such an array with decimals, as `np.zeros(shape)` does",
    )


def _is_whole_everywhere(evidence: Evidence, place: int) -> bool:
    """Whether an argument is whole numbers in every case, beside arrays of decimals, and so by what the exercise is: lengths, or numbers of rows."""
    given = [case.arguments for case in evidence.cases if len(case.arguments) > place]
    beside = any(hasattr(other, "dtype") and as_numpy(other).dtype.kind == "f" for arguments in given for other in arguments)
    return beside and len(given) > 1 and all(_as_decimals(arguments[place]) is not arguments[place] for arguments in given)


def _as_decimals(argument: Any) -> Any:
    if hasattr(argument, "dtype") and as_numpy(argument).dtype.kind in "iu":
        return argument.double() if hasattr(argument, "detach") else argument.astype(float)
    return argument


def gives_the_same_array(evidence: Evidence, case: Case) -> Cause | None:
    """Whether a call with other numbers changes what the call before it gave."""
    one = evidence.ask(case)
    if not hasattr(one, "shape"):
        return None
    before = as_numpy(one).copy()
    evidence.ask_with(*(2 * argument + 1 if hasattr(argument, "dtype") else argument for argument in copy.deepcopy(case.arguments)))
    if np.array_equal(as_numpy(one), before):
        return None
    return Cause(
        "again.two_calls_give_same",
        "two calls give one and the same array: the second writes over what the first gave back",
        "make a new array in every call",
    )


def changes_its_input(evidence: Evidence, case: Case) -> Cause | None:
    """Whether a call changes what is passed in, so that its own later lines read other numbers."""
    given = copy.deepcopy(case.arguments)
    evidence.ask_with(*given)
    if all(map(is_same, case.arguments, given)):
        return None
    return Cause(
        "again.call_changes_passed_lines",
        "the call changes what was passed in, so that lines which read it later read other numbers; whether that is all, this check cannot tell",
        "write into an array of your own, and only read from an argument; then check again",
    )


def is_same(before: Any, after: Any) -> bool:
    """Whether nothing in an argument has changed."""
    if isinstance(before, (list, tuple)):
        return len(before) == len(after) and all(map(is_same, before, after))
    if isinstance(before, dict):
        return before.keys() == after.keys() and all(is_same(before[key], after[key]) for key in before)
    if hasattr(before, "shape"):
        return before.shape == after.shape and np.array_equal(as_numpy(before), as_numpy(after))
    return before == after
