"""the repaired function of the clinic."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.queries_keys_values import THIN, float_rows, long_rows

FOUR_TOKENS = np.random.RandomState(5)

CLINIC = [FOUR_TOKENS.normal(size=(4, 4)) for _ in range(4)]


EXERCISE = Exercise(
    title="attention with its two lines repaired",
    shows=("vectors",),
    inputs=[
        Input("the four tokens of the clinic", CLINIC),
        Input("two tokens, d_k = 4 and d_v = 5", THIN),
        Input("long vectors", [60 * THIN[0], *THIN[1:]]),
    ],
    kinds=lambda random: {**float_rows(random), **long_rows(random)},
)
