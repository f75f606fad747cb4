"""`self_attention_loops(x)`: one weighted average per token."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.basic_attention import TOKENS, TWO_TOKENS, tokens

EXERCISE = Exercise(
    title="one weighted average per query",
    shows=("vectors",),
    inputs=[
        Input("the three tokens of the card", [TOKENS]),
        Input("two tokens of three numbers", [TWO_TOKENS]),
        Input("tokens of integers", [np.array([[1, 0, 2], [0, 3, 1]])]),
        Input("a single token", [np.array([[1.0, 2, 3]])]),
    ],
    kinds=tokens,
)
