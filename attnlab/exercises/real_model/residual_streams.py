"""`residual_streams(model, tokens)`: what the stream holds before the first layer and after each."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.real_model import Sizes, fixed, model_of

Shape = tuple[int, int, int, Sizes]  # T, V, layers, sizes of a layer
SHAPES: list[Shape] = [
    (4, 9, 2, (6, 2, 2, 4, 8)),
    (1, 5, 3, (4, 2, 1, 2, 4)),
    (3, 7, 1, (4, 4, 2, 2, 4)),
    (5, 4, 5, (6, 6, 2, 2, 5)),
    (4, 11, 4, (4, 2, 2, 2, 4)),
]


def _arguments(random: np.random.RandomState, shape: Shape) -> list[Any]:
    T, V, layers, sizes = shape
    return [model_of(random, V, layers, sizes), torch.from_numpy(random.randint(V, size=T))]


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    model, tokens = _arguments(random, SHAPES[0])
    return {
        "small models": [_arguments(random, shape) for shape in SHAPES],
        "the same model, other tokens": [[model, tokens], [model, tokens.flip(0)], [model, tokens[:2]], [model, tokens]],
    }


EXERCISE = Exercise(
    title="the stream after each layer",
    inputs=[
        Input("the small model of the card", _arguments(fixed(1), (3, 6, 2, (4, 2, 1, 2, 6)))),
        Input("one token", _arguments(fixed(2), (1, 5, 3, (4, 2, 2, 2, 4)))),
        Input("as many layers as tokens", _arguments(fixed(3), (3, 8, 3, (6, 4, 2, 2, 8)))),
    ],
    kinds=_kinds,
)
