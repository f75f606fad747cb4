"""the class `FeedForward(k, hidden)`: parameters and values."""

from __future__ import annotations

import torch

from attnlab.diagnosis import calls
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.transformer import X, drawn


def feed_forward(k: int, hidden: int) -> dict[str, torch.Tensor]:
    """Parameters of a feed-forward part."""
    return {
        "expand.weight": drawn(1, hidden, k),
        "expand.bias": drawn(2, hidden),
        "contract.weight": drawn(3, k, hidden),
        "contract.bias": drawn(4, k),
    }


EXERCISE = Exercise(
    title="a matrix, a bend, a matrix",
    inputs=[
        Input("the sequence of the card", [[4, 6], feed_forward(4, 6), X]),
        Input("hidden smaller than k", [[4, 3], feed_forward(4, 3), drawn(8, 2, 2, 4)]),
        Input("hidden as large as k", [[3, 3], feed_forward(3, 3), drawn(9, 2, 3, 3)]),
    ],
    call=calls.module,
)
