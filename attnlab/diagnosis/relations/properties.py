"""What every right result has in common, whatever the numbers."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.cause import NOT_KNOWN, Cause, Certainty, Diagnosis, unknown
from attnlab.diagnosis.evidence import Evidence

ROUNDED = 5e-3  # row sums of rounded weights are off by less; the comparison with the reference explains those


def non_negative(weights: np.ndarray, evidence: Evidence) -> Diagnosis | None:
    """Weights are shares, so none is below zero."""
    if weights.min() >= 0:
        return None
    return Diagnosis(
        f"the smallest weight is {weights.min():.4f}",
        "no weight is below zero",
        Cause(
            "properties.weight_below_zero",
            f"no softmax gives that: exponentials are positive, and so is their sum; {NOT_KNOWN}",
            "is there an exponential, and does anything change the weights after it?",
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
                "properties.columns_sum_place_rows",
                "the columns sum to 1 in place of the rows: you normalised over queries, with the last division down the columns, "
                "or rows and columns changed places",
                "each row is one query; which axis indexes the keys? Give that axis to the softmax",
            ),
        )
    differ = not np.allclose(rows, rows.flat[0], atol=1e-4)  # equal sums have one factor, such as 1 divided by their number
    if differ and evidence.everywhere(lambda one: np.isclose(one.sum(), 1, atol=1e-4)) and rows.max() < 1 - ROUNDED:
        return Diagnosis(
            f"{observed}; the whole matrix sums to 1.00",
            "every row sums to 1",
            Cause(
                "properties.sum_runs_over_entries",
                "the sum runs over all entries instead of along one axis",
                "give the sum its axis, and `keepdims=True` so that the division lines up",
            ),
        )
    if weights.ndim == 3 and evidence.everywhere(lambda one: np.allclose(one.sum(axis=0), 1, atol=1e-4)):
        return Diagnosis(
            f"{observed}; the same place of all sequences sums to 1.00",
            "every row sums to 1",
            Cause(
                "properties.softmax_runs_over_batch",
                "the softmax runs over the batch: it mixes sequences that have nothing to do with each other",
                "take the last axis, `dim=-1`: it indexes the keys",
            ),
        )
    return Diagnosis(
        f"{observed}, columns to {_range(columns)}, the whole matrix to {whole:.2f}",
        "every row sums to 1",
        unknown(
            "properties.rows_sum_to_one",
            "print the exponentials, their sums and the weights: is each row divided by its own sum, and by nothing else?",
        ),
    )


def _range(sums: np.ndarray) -> str:
    low, high = float(sums.min()), float(sums.max())
    return f"{low:.2f}" if np.isclose(low, high, atol=5e-3) else f"{low:.2f} to {high:.2f}"
