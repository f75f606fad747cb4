"""the class `FeedForward(k, hidden)`: parameters and values."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from attnlab.diagnosis import calls
from attnlab.diagnosis.drawn import edge_batches
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.transformer import X, drawn, some


def shapes_of(k: int, hidden: int) -> dict[str, tuple[int, ...]]:
    """The parameters of a feed-forward part."""
    return {"expand.weight": (hidden, k), "expand.bias": (hidden,), "contract.weight": (k, hidden), "contract.bias": (k,)}


def feed_forward(k: int, hidden: int) -> dict[str, torch.Tensor]:
    """Such parameters."""
    return {name: drawn(seed, *shape) for seed, (name, shape) in enumerate(shapes_of(k, hidden).items(), start=1)}


SIZES = ((4, 7, (2, 5, 4)), (6, 6, (3, 6, 6)), (3, 1, (1, 4, 3)), (1, 5, (2, 1, 1)), (8, 32, (2, 40, 8)))  # k, hidden, shape


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    def made(k: int, hidden: int, x: torch.Tensor) -> list[Any]:
        return [[k, hidden], {name: some(random, *shape) for name, shape in shapes_of(k, hidden).items()}, x]

    def inputs(length: int) -> list[list[Any]]:
        return [made(k, hidden, length * some(random, *size)) for k, hidden, size in SIZES]

    edge = {f"tokens, {what}": [made(4, 5, torch.from_numpy(x).float())] for what, [x] in edge_batches(random, 4).items()}
    return {"tokens": inputs(1), "long tokens": inputs(100), **edge}


EXERCISE = Exercise(
    title="a matrix, an activation, a matrix",
    shows=("vectors",),
    inputs=[
        Input("the sequence of the card", [[4, 6], feed_forward(4, 6), X]),
        Input("hidden smaller than k", [[4, 3], feed_forward(4, 3), drawn(8, 2, 2, 4)]),
        Input("hidden as large as k", [[3, 3], feed_forward(3, 3), drawn(9, 2, 3, 3)]),
    ],
    kinds=_kinds,
    call=calls.module,
)
