"""`gated_feed_forward(x, layer)`: a feed-forward part in which one product switches another one."""

from __future__ import annotations

from typing import Any

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.real_model import drawn, feed_forward_of, fixed

SIZES = ((4, 6, 8), (1, 3, 5), (3, 3, 3), (5, 4, 4), (2, 8, 2), (1, 1, 1), (20, 16, 32))  # T, k, hidden components


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    def pairs(size: float = 1.0) -> list[list[Any]]:
        return [[drawn(random, T, k, size=size), feed_forward_of(random, k, hidden)] for T, k, hidden in SIZES]

    first = pairs()[0]
    return {
        "tokens": [*pairs(), [first[0], dict(reversed(first[1].items()))]],
        "long vectors": pairs(size=40.0),
    }


EXERCISE = Exercise(
    title="a gated feed-forward part",
    shows=("vectors",),
    inputs=[
        Input("the two tokens of the card", [drawn(fixed(1), 2, 3), feed_forward_of(fixed(2), 3, 4)]),
        Input("as many hidden components as k", [drawn(fixed(3), 3, 3), feed_forward_of(fixed(4), 3, 3)]),
        Input("one token", [drawn(fixed(5), 1, 4), feed_forward_of(fixed(6), 4, 6)]),
        Input("long vectors", [drawn(fixed(7), 4, 5, size=40.0), feed_forward_of(fixed(8), 5, 2)]),
    ],
    kinds=_kinds,
)
