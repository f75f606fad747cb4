"""the repaired softmax of the clinic."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.basic_attention import SCORES, WEIGHTS

EXERCISE = Exercise(
    title="a softmax that runs over the keys",
    inputs=[
        Input("the three rows of the card", [SCORES]),
        Input("two queries and four keys", [np.array([[1.0, 2, 3, 4], [0, 0, 0, 9]])]),
        Input("one row near 1 and one near 900", [np.array([[1.0, 2, 3], [900, 901, 902]])]),
    ],
    properties=WEIGHTS,
)
