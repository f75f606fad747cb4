"""`attend_with_cache(x, layer, s, keys=None, values=None)`: the whole attention of a layer, with shared heads of keys and values."""

from __future__ import annotations

from typing import Any

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.real_model import attention_of, drawn, earlier, fixed

Shape = tuple[int, int, int, int, int, int]  # t, n, k, heads, groups, s


def _arguments(random: np.random.RandomState, shape: Shape, size: float = 1.0) -> list[Any]:
    t, n, k, heads, groups, s = shape
    return [drawn(random, t, k, size=size), attention_of(random, k, heads, groups, s), s, *earlier(random, groups, n, s)]


OWN: list[Shape] = [(4, 0, 6, 2, 2, 4), (1, 0, 4, 1, 1, 2), (3, 0, 6, 3, 3, 2), (4, 0, 4, 2, 2, 2), (5, 0, 3, 2, 2, 4), (20, 0, 8, 2, 2, 8)]
SHARED: list[Shape] = [(4, 0, 6, 4, 2, 2), (3, 0, 8, 6, 2, 4), (5, 0, 5, 3, 1, 2), (4, 0, 4, 4, 2, 4), (2, 0, 6, 6, 3, 2), (12, 0, 18, 9, 3, 4)]
CACHED: list[Shape] = [
    (1, 3, 6, 2, 2, 4),
    (1, 4, 6, 4, 2, 2),
    (3, 2, 8, 6, 2, 4),
    (2, 2, 4, 2, 1, 2),
    (4, 1, 6, 3, 3, 2),
    (1, 40, 12, 9, 3, 4),
    (5, 9, 6, 4, 2, 4),
]


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    def small(shape: Shape) -> list[Any]:
        x, layer, *more = _arguments(random, shape)
        return [x, {**layer, "unifyheads": layer["unifyheads"] / 2**10}, *more]

    first = _arguments(random, SHARED[0])
    backwards = [first[0], dict(reversed(first[1].items())), first[2]]
    return {
        "a head of keys for each head": [_arguments(random, shape) for shape in OWN],
        "shared heads of keys": [*(_arguments(random, shape) for shape in SHARED), backwards, first],
        "shared heads of keys, long vectors": [_arguments(random, SHARED[0], size=20.0)],
        "with earlier keys and values": [_arguments(random, shape) for shape in CACHED],
        "a head of keys for each head, small outputs": [small(OWN[0])],
        "shared heads of keys, small outputs": [small(SHARED[1])],
        "with earlier keys and values, small outputs": [small(CACHED[1])],
    }


EXERCISE = Exercise(
    title="the attention of one layer",
    shows=("vectors", "vectors", "vectors"),
    parts=("outputs", "keys", "values"),
    inputs=[
        Input("the three tokens of the card", _arguments(fixed(1), (3, 0, 4, 2, 2, 2))),
        Input("as many tokens as components", _arguments(fixed(2), (4, 0, 4, 2, 2, 4))),
        Input("four heads, two of keys", _arguments(fixed(3), (3, 0, 6, 4, 2, 2))),
        Input("six heads, two of keys", _arguments(fixed(4), (2, 0, 5, 6, 2, 4))),
        Input("one new token behind three", _arguments(fixed(5), (1, 3, 6, 4, 2, 2))),
        Input("two new tokens behind three", _arguments(fixed(6), (2, 3, 6, 2, 2, 4))),
        Input("as many new tokens as earlier ones", _arguments(fixed(7), (3, 3, 4, 3, 1, 2))),
    ],
    kinds=_kinds,
    stages={
        "a head of keys for each head": ["the three tokens of the card", "as many tokens as components", "a head of keys for each head"],
        "shared heads": ["four heads, two of keys", "six heads, two of keys", "shared heads of keys"],
        "with a cache": [
            "one new token behind three",
            "two new tokens behind three",
            "as many new tokens as earlier ones",
            "with earlier keys and values",
        ],
    },
)
