"""`softmax_jacobian(p)`: how much each weight moves with each score."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.cause import Cause, Diagnosis, unknown
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.exercise import Exercise, Input


def _columns_cancel(jacobian: np.ndarray, _: Evidence) -> Diagnosis | None:
    """What one weight gains the others lose, so every column of a Jacobian of the softmax sums to zero."""
    sums = jacobian.sum(axis=0)
    if np.allclose(sums, 0, atol=1e-6):
        return None
    return Diagnosis(
        f"columns sum to {sums.min():.3f} to {sums.max():.3f}",
        "every column sums to 0: what one weight gains, the others lose",
        _jacobian_cause(jacobian),
    )


def _jacobian_cause(jacobian: np.ndarray) -> Cause:
    off_diagonal = jacobian[~np.eye(len(jacobian), dtype=bool)]
    if not off_diagonal.any():
        return Cause(
            "softmax_jacobian.only_diagonal",
            "only the diagonal is filled: all other entries are 0",
            "subtract p_i p_j everywhere, also off the diagonal",
        )
    if (off_diagonal > 0).all():
        return unknown(
            "softmax_jacobian.off_diagonal_positive",
            "the Jacobian is the diagonal matrix of p minus the matrix of products p_i p_j: print both",
            "all entries off the diagonal are positive, but they should be negative",
        )
    return unknown("softmax_jacobian.wrong_entries", "the Jacobian is the diagonal matrix of p minus the matrix of products p_i p_j")


EXERCISE = Exercise(
    title="how much each weight moves with each score",
    inputs=[
        Input("p = [0.2, 0.3, 0.5]", [np.array([0.2, 0.3, 0.5])]),
        Input("a row that looks at one token", [np.array([0, 1, 0])]),
        Input("two weights", [np.array([0.9, 0.1])]),
        Input("a single weight", [np.array([1.0])]),
    ],
    properties={"columns": _columns_cancel},
)
