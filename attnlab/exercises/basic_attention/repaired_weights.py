"""the repaired softmax of the clinic."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.drawn import numbers
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.basic_attention import EXTREMES, SCORES, SHAPES, WEIGHTS


def _kinds(random: np.random.RandomState) -> dict[str, list[list[np.ndarray]]]:
    rows = np.array([[*row, *more] for row in EXTREMES for more in ((row[0], row[0]), (row[1], random.randint(9)), (0, 5))], dtype=float)
    many = numbers(random, 2, 120, size=30)
    many[:, 60 + random.randint(60)] = 2000
    return {
        "scores": [[numbers(random, *shape, size=3)] for shape in SHAPES],
        "scores with all their digits": [[random.normal(scale=3, size=(4, 5))]],
        "many scores": [[many], [many.T.copy()]],
        "large scores": [[np.clip(numbers(random, *shape, size=4000), -1e4, 1e4)] for shape in SHAPES],
        "rows of very different size": [[rows], [rows[::-1].copy()]],
    }


EXERCISE = Exercise(
    title="a softmax that runs over the keys",
    shows=("weights",),
    inputs=[
        Input("the three rows of the card", [SCORES]),
        Input("two queries and four keys", [np.array([[1.0, 2, 3, 4], [0, 0, 0, 9]])]),
        Input("one row near 1 and one near 900", [np.array([[1.0, 2, 3], [900, 901, 902]])]),
    ],
    kinds=_kinds,
    properties=WEIGHTS,
)
