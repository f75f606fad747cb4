"""`decoder_block(x, layer, s, keys=None, values=None)`: one layer, from stream to stream."""

from __future__ import annotations

from typing import Any

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.real_model import drawn, earlier, fixed, layer_of

Shape = tuple[int, int, tuple[int, int, int, int, int]]  # t, n, sizes of the layer


def _arguments(random: np.random.RandomState, shape: Shape) -> list[Any]:
    t, n, sizes = shape
    k, _, groups, s, _ = sizes
    return [drawn(random, t, k), layer_of(random, sizes), s, *earlier(random, groups, n, s)]


SHAPES: list[Shape] = [(4, 0, (6, 2, 2, 4, 8)), (1, 0, (4, 2, 1, 2, 4)), (4, 0, (4, 4, 2, 2, 4)), (3, 0, (6, 6, 2, 2, 9)), (12, 0, (8, 4, 2, 4, 16))]
CACHED: list[Shape] = [(1, 4, (6, 4, 2, 2, 8)), (3, 2, (4, 2, 2, 2, 4)), (2, 9, (8, 6, 2, 4, 6))]


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    first = _arguments(random, SHAPES[0])
    return {
        "tokens": [*(_arguments(random, shape) for shape in SHAPES), [first[0], dict(reversed(first[1].items())), first[2]]],
        "tokens behind earlier ones": [_arguments(random, shape) for shape in CACHED],
    }


EXERCISE = Exercise(
    title="one layer",
    shows=("vectors", "vectors", "vectors"),
    parts=("stream", "keys", "values"),
    inputs=[
        Input("the three tokens of the card", _arguments(fixed(1), (3, 0, (4, 2, 1, 2, 6)))),
        Input("as many tokens as components", _arguments(fixed(2), (4, 0, (4, 2, 2, 2, 4)))),
        Input("one new token behind three", _arguments(fixed(3), (1, 3, (6, 4, 2, 2, 8)))),
    ],
    kinds=_kinds,
)
