"""the repaired attention of the clinic."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.permutation_test import FOUR

SEQUENCE = np.array([[1.0, 0, 1], [0, 2, 0], [1, 1, 1], [-1, 0.5, 2]])


EXERCISE = Exercise(
    title="attention that does not see the future",
    inputs=[
        Input("the four tokens of the card", [SEQUENCE]),
        Input("tokens of six numbers", [FOUR]),
        Input("a single token", [SEQUENCE[:1]]),
        Input("tokens of integers", [np.array([[1, 0, 2], [0, 3, 1]])]),
        Input("long vectors", [60 * SEQUENCE]),
    ],
)
