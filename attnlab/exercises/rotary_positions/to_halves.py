"""`to_halves(w)`: columns that stand as neighbours, moved to where code that pairs halves looks for them."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.drawn import edge_cases, numbers
from attnlab.diagnosis.exercise import Exercise, Input

SIZES = ((5, 6), (3, 8), (7, 10), (4, 4), (2, 12), (6, 2), (1, 6))


def _kinds(random: np.random.RandomState) -> dict[str, list[list[np.ndarray]]]:
    return {
        "matrices of floats": [[numbers(random, *size)] for size in SIZES],
        "matrices of integers": [[random.randint(-9, 10, size=size)] for size in SIZES],
        "a matrix with all its digits": [[random.normal(size=(4, 6))]],
        "a matrix in an array that was transposed": [[numbers(random, 8, 3).T]],
        "another matrix of the same shape": [[numbers(random, 5, 6)], [-numbers(random, 5, 6)]],
        **{f"a matrix with rows {what}": [arguments] for what, arguments in edge_cases(random, 6).items()},
    }


EXERCISE = Exercise(
    title="columns moved to halves",
    inputs=[
        Input("two rows of six columns", [np.array([[1.0, 2, 3, 4, 5, 6], [10, 20, 30, 40, 50, 60]])]),
        Input("four columns", [np.array([[0.5, -1, 2, 1], [3, 1, 0, -2], [1, 4, 2, 8]])]),
        Input("eight columns in one row of integers", [np.array([[7, 1, 9, 2, 8, 3, 6, 4]])]),
        Input("a single pair", [np.array([[2.0, 3], [4, 5]])]),
    ],
    kinds=_kinds,
)
