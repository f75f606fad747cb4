"""`basic_self_attention(x)` in torch: every sequence of the batch by itself."""

from __future__ import annotations

import numpy as np
import torch

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.basic_attention import TOKENS

BATCH = torch.from_numpy(np.stack([TOKENS, [[0.0, 1, 0, -1], [2, 0, 1, 0], [0.5, 0.5, 0, 1]]]))


EXERCISE = Exercise(
    title="two matrix products and one softmax",
    inputs=[
        Input("the two sequences of the card", [BATCH]),
        Input("a batch of one", [BATCH[:1] * 0.5]),
        Input("sequences of one token", [BATCH[:, :1]]),
        Input("long vectors", [60 * BATCH]),
    ],
)
