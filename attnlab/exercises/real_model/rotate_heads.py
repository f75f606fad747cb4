"""`rotate_heads(x, first=0)`: rotary positions for all heads, neighbouring components as pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.real_model import drawn, fixed

SIZES = ((2, 3, 4), (1, 5, 2), (3, 4, 8), (3, 3, 6), (9, 2, 64), (1, 1, 4), (2, 30, 8))  # heads, T, s


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    first = drawn(random, 2, 3, 4)
    return {
        "from position 0 on": [[drawn(random, *shape)] for shape in SIZES],
        "from another position on": [[drawn(random, *shape), first] for shape, first in zip(SIZES, (2, 1, 7, 30, 3, 500, 12))],
        "the same heads at other positions": [[first, 0], [first, 4], [first]],
    }


EXERCISE = Exercise(
    title="all heads, rotated by their positions",
    shows=("vectors",),
    inputs=[
        Input("the head of the card", [torch.tensor([[[1.0, 0, 0, 1], [1.0, 0, 0, 1], [1.0, 0, 0, 1]]])]),
        Input("two heads", [drawn(fixed(1), 2, 3, 6)]),
        Input("one token at position 5", [drawn(fixed(2), 3, 1, 4), 5]),
        Input("as many tokens as components", [drawn(fixed(3), 2, 4, 4), 1]),
        Input("pairs alone", [drawn(fixed(4), 2, 5, 2), 3]),
    ],
    kinds=_kinds,
)
