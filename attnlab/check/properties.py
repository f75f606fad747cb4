"""What every right result has in common, whatever the numbers."""

from __future__ import annotations

import numpy as np

from attnlab.check.diagnosis import Diagnosis

ROUNDED = 5e-3  # row sums of rounded weights are off by less; the comparison with the reference explains those


def non_negative(weights: np.ndarray) -> Diagnosis | None:
    """Weights are shares, so none is below zero."""
    if weights.min() >= 0:
        return None
    return Diagnosis(f"the smallest weight is {weights.min():.4f}", "no weight is below zero",
                     "the scores are divided by their sum, without the exponential",
                     "take `np.exp` of the scores first: it makes every number positive")


def rows_sum_to_one(weights: np.ndarray) -> Diagnosis | None:
    """Along the last axis (the keys) the weights sum to 1."""
    rows = weights.sum(axis=-1)
    if np.allclose(rows, 1, atol=ROUNDED):
        return None
    columns, whole = weights.sum(axis=-2), weights.sum()
    if np.allclose(columns, 1, atol=1e-4):
        observed = f"rows of your weights sum to {_range(rows)}, columns to 1.00"
        likely = "you normalised over queries: the softmax runs down the columns"
        next_step = "each row is one query; which axis indexes the keys? Give that axis to the softmax"
    elif np.isclose(whole, 1, atol=1e-4):
        observed = f"rows sum to {_range(rows)}; the whole matrix sums to 1.00"
        likely = "the sum runs over all entries instead of along one axis"
        next_step = "give the sum its axis, and `keepdims=True` so that the division lines up"
    elif weights.ndim == 3 and np.allclose(weights.sum(axis=0), 1, atol=1e-4):
        observed = f"rows sum to {_range(rows)}; the same place of all sequences sums to 1.00"
        likely = "the softmax runs over the batch: it mixes sequences that have nothing to do with each other"
        next_step = "take the last axis, `dim=-1`: it indexes the keys"
    else:
        observed = f"rows sum to {_range(rows)}, columns to {_range(columns)}, the whole matrix to {whole:.2f}"
        likely = "the exponentials are not divided by their own row's sum, or something changed the weights afterwards"
        next_step = "divide each row by its own sum: `e / e.sum(axis=-1, keepdims=True)`"
    return Diagnosis(observed, "every row sums to 1", likely, next_step)


def _range(sums: np.ndarray) -> str:
    low, high = float(sums.min()), float(sums.max())
    return f"{low:.2f}" if np.isclose(low, high, atol=5e-3) else f"{low:.2f} to {high:.2f}"
