"""`attention_weights(x)`: rows are queries and sum to one."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.basic_attention import TOKENS, TWO_TOKENS, WEIGHTS, tokens

EXERCISE = Exercise(
    title="scores, then one softmax per query",
    shows=("weights",),
    inputs=[
        Input("the three tokens of the card", [TOKENS]),
        Input("two tokens of three numbers", [TWO_TOKENS]),
        Input("long vectors", [60 * TWO_TOKENS]),
        Input("a single token of integers", [np.array([[1, 2, 3]])]),
    ],
    kinds=tokens,
    properties=WEIGHTS,
)
