"""`attention_scores(x)`: one dot product per pair of tokens."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.basic_attention import TOKENS, TWO_TOKENS, tokens

EXERCISE = Exercise(
    title="one dot product per pair of tokens",
    shows=("scores",),
    inputs=[
        Input("the three tokens of the card", [TOKENS]),
        Input("two tokens of three numbers", [TWO_TOKENS]),
        Input("a single token of integers", [np.array([[1, 2, 3]])]),
    ],
    kinds=lambda random: {**tokens(random), "large integers": [[np.array([[300, -200], [70000 + random.randint(9), 1]], dtype=np.int64)]]},
)
