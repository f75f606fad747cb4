"""What every right result has in common, and what the results for all inputs show together."""

from __future__ import annotations

import itertools

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import NOT_KNOWN, Cause, Certainty, Diagnosis, unknown
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.relations.families import distinct
from attnlab.diagnosis.results.form import close, explain_type
from attnlab.reference import Case

ROUNDED = 5e-3  # row sums of rounded weights are off by less; the comparison with the reference explains those


def non_negative(weights: np.ndarray, evidence: Evidence) -> Diagnosis | None:
    """Weights are shares, so none is below zero."""
    if weights.min() >= 0:
        return None
    return Diagnosis(
        f"the smallest weight is {weights.min():.4f}",
        "no weight is below zero",
        Cause(
            "common.negative_weight",
            f"a softmax never gives that: exponentials are positive, and so is their sum; {NOT_KNOWN}",
            "is there an exponential, and does any line change the weights after it?",
            Certainty.HINT,
        ),
    )


def rows_sum_to_one(weights: np.ndarray, evidence: Evidence) -> Diagnosis | None:
    """Along the last axis (the keys) the weights sum to 1."""
    rows = weights.sum(axis=-1)
    if np.allclose(rows, 1, atol=ROUNDED):
        return None
    columns, whole = weights.sum(axis=-2), weights.sum()
    observed = f"rows of your weights sum to {_range(rows)}"
    if evidence.everywhere(lambda one: np.allclose(one.sum(axis=-2), 1, atol=1e-4)):
        return Diagnosis(
            f"{observed}, columns to 1.00",
            "every row sums to 1",
            Cause(
                "common.columns_sum_to_one",
                "the columns sum to 1 instead of the rows: you normalised over queries (the last division runs down the columns), "
                "or rows and columns are swapped",
                "each row is one query; which axis indexes the keys? Take the softmax along that axis",
            ),
        )
    differ = not np.allclose(rows, rows.flat[0], atol=1e-4)  # equal sums have one factor, such as 1 divided by their number
    if differ and evidence.everywhere(lambda one: np.isclose(one.sum(), 1, atol=1e-4)) and rows.max() < 1 - ROUNDED:
        return Diagnosis(
            f"{observed}; the whole matrix sums to 1.00",
            "every row sums to 1",
            Cause(
                "common.sum_over_all_entries",
                "the sum runs over all entries instead of along one axis",
                "give the sum its axis, and `keepdims=True` so that the division lines up",
            ),
        )
    if weights.ndim == 3 and evidence.everywhere(lambda one: np.allclose(one.sum(axis=0), 1, atol=1e-4)):
        return Diagnosis(
            f"{observed}; the same entry of all sequences sums to 1.00",
            "every row sums to 1",
            Cause(
                "common.softmax_over_batch",
                "the softmax runs over the batch: it mixes sequences that have nothing to do with each other",
                "use the last axis, `dim=-1`: it indexes the keys",
            ),
        )
    return Diagnosis(
        f"{observed}, columns to {_range(columns)}, the whole matrix to {whole:.2f}",
        "every row sums to 1",
        unknown(
            "common.rows_not_normalised",
            "print the exponentials, their sums and the weights: is each row divided by its own sum, and by nothing else?",
        ),
    )


def _range(sums: np.ndarray) -> str:
    low, high = float(sums.min()), float(sums.max())
    return f"{low:.2f}" if np.isclose(low, high, atol=5e-3) else f"{low:.2f} to {high:.2f}"


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
        "common.same_for_every_input",
        "the numbers are the same for every input of this check: your lines do not work on what is passed in",
        "does a line give an argument a new value, or are the numbers of the example written into the code?",
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
            "form.decimals_cut_off",
            "an array of whole numbers cuts off the decimals",
            "which line makes it? `dtype=int`, an array made from whole numbers and `zeros_like` of such an array keep no decimals",
        )
    fine = [one for result, _, one in pairs if not explain_type(result, one.expected)]
    if fine and _holds_whole_numbers(case) and not any(map(_holds_whole_numbers, fine)):
        return Cause(
            "common.integer_type_taken_over",
            "for an input of whole numbers, the result is an array of whole numbers, too: it takes its type from the input",
            "write into an array of decimals: `np.zeros(shape)`, or `.astype(float)`",
        )
    return None


def _holds_whole_numbers(case: Case) -> bool:
    return any(hasattr(argument, "dtype") and as_numpy(argument).dtype.kind in "iu" for argument in case.arguments)
