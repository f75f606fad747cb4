"""What the results for all inputs together establish: causes that no single number shows."""

from __future__ import annotations

import itertools

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.relations.patterns import distinct
from attnlab.diagnosis.results.compare import close
from attnlab.diagnosis.results.kinds import explain_type
from attnlab.reference import Case


def explain_the_same(evidence: Evidence, case: Case) -> Cause | None:
    """The same array comes out for all inputs that say something about a case, and other ones are expected."""
    cases = evidence.beside(case)
    results = list(map(evidence.result, cases))
    if len(results) < 2 or not all(hasattr(one, "shape") and hasattr(case.expected, "shape") for one, case in zip(results, cases)):
        return None
    arrays, wanted = list(map(as_numpy, results)), [as_numpy(case.expected) for case in cases]
    if arrays[0].dtype.kind not in "fiu" or distinct(arrays[0]) < 3 or not all(np.isfinite(one).all() and close(one, arrays[0]) for one in arrays):
        return None
    if all(close(one, wanted[0]) for one in wanted) or not any(map(_all_differ, *zip(*itertools.combinations(cases, 2)))):
        return None
    return Cause(
        "together.same_numbers_come_out",
        "the same numbers come out for every input of this check: what is passed in is not what your lines work on",
        "does a line give an argument another value, or write the numbers of the example into the code?",
    )


def _all_differ(one: Case, other: Case) -> bool:
    """Whether two inputs have no array and no list in common; a setting that alone is another one says nothing about the rest."""
    pairs = [pair for pair in zip(one.arguments, other.arguments) if hasattr(pair[0], "shape") or isinstance(pair[0], list)]
    return bool(pairs) and not any(
        np.array_equal(as_numpy(first), as_numpy(second)) if hasattr(first, "shape") else first == second for first, second in pairs
    )


def explain_whole_numbers(evidence: Evidence, case: Case) -> Cause | None:
    """A result of whole numbers, where the other inputs show why; the numbers of that result alone do not."""
    cases = evidence.beside(case)
    results = list(map(evidence.result, cases))
    pairs = [(as_numpy(result), as_numpy(one.expected), one) for result, one in zip(results, cases) if hasattr(result, "dtype")]
    mine = next((result for result, _, one in pairs if one is case), None)
    if mine is None or mine.dtype.kind not in "iu":
        return None
    if any(
        wanted.shape == got.shape and got.dtype.kind in "iu" and (wanted != np.trunc(wanted)).any() and np.array_equal(got, np.trunc(wanted))
        for got, wanted, _ in pairs
    ):
        return Cause(
            "together.array_whole_numbers_cuts",
            "an array of whole numbers cuts off all decimals",
            "which line makes it so? `dtype=int`, an array that is made of whole numbers and `zeros_like` of one keep no decimals",
        )
    fine = [one for result, _, one in pairs if not explain_type(result, one.expected)]
    if fine and _holds_whole_numbers(case) and not any(map(_holds_whole_numbers, fine)):
        return Cause(
            "together.input_whole_numbers_result",
            "for an input of whole numbers, the result is an array of whole numbers, too: it takes over the type of what comes in",
            "make the array that you write into one of decimals: `np.zeros(shape)`, or `.astype(float)`",
        )
    return None


def _holds_whole_numbers(case: Case) -> bool:
    return any(hasattr(argument, "dtype") and as_numpy(argument).dtype.kind in "iu" for argument in case.arguments)
