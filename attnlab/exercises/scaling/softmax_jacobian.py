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


def _shares(scores: np.ndarray) -> np.ndarray:
    e = np.exp(scores - scores.max())
    return e / e.sum()


def _kinds(random: np.random.RandomState) -> dict[str, list[list[np.ndarray]]]:
    first = _shares(random.normal(size=5))
    place = random.randint(3)
    return {
        "weights": [
            [first],
            [_shares(random.normal(size=5))],
            [first],
            *([_shares(random.normal(size=T))] for T in (2, 3, 8)),
            [_shares(random.normal(size=4)).astype(np.float32)],
        ],
        "equal weights": [[np.full(4, 0.25)], [np.array([0.375, 0.375, 0.25])[random.permutation(3)]]],
        "one weight of exactly 1": [[np.eye(4)[place]]],
        "weights in ascending order": [[np.sort(_shares(random.normal(size=5)))]],
        "many weights": [[_shares(3 * random.normal(size=T))] for T in (40, 150)],
        "a single weight": [[np.array([1.0])], [np.array([1])]],
        "weights of exactly 0": [[np.array([0.0, 0.25, 0.0, 0.75])[random.permutation(4)]], [np.array([0.5, 0.0, 0.5])]],
        "one weight that is nearly 1": [[np.array([0.0002, 0.9994, 0.0003, 0.0001])[random.permutation(4)]]],
        "a saturated softmax": [[_shares(60.0 * random.permutation(3))]],
        "whole numbers": [[np.eye(4, dtype=int)[place]], [np.eye(3, dtype=np.uint8)[place]]],
        "weights in a column of a matrix": [[np.stack([_shares(random.normal(size=4)) for _ in range(3)], axis=1)[:, 1]]],
    }


EXERCISE = Exercise(
    title="how much each weight moves with each score",
    inputs=[
        Input("p = [0.2, 0.3, 0.5]", [np.array([0.2, 0.3, 0.5])]),
        Input("a row that looks at one token", [np.array([0, 1, 0])]),
        Input("two weights", [np.array([0.9, 0.1])]),
        Input("a single weight", [np.array([1.0])]),
    ],
    kinds=_kinds,
    properties={"columns": _columns_cancel},
)
