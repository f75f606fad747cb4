"""`two_layers(x, first, second)`: attention on what attention has collected."""

from __future__ import annotations

from typing import Any

import numpy as np

from attnlab.diagnosis.drawn import numbers
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.queries_keys_values import TOKENS, W_KEY, W_QUERY

W_VALUE = np.array([[0.0, 2, 0, 1], [0, 3, 0, 0], [1, 0, 3, 0], [1, 1, 0, 0]]) / 4
EXAMPLE = [TOKENS / 2, [W_QUERY / 2, W_KEY / 2, W_VALUE], [W_KEY / 2, W_QUERY / 2, W_VALUE[::-1].copy()]]
SIZES = ((5, 4, 3), (2, 3, 5), (4, 4, 4), (6, 2, 1), (1, 3, 2), (1, 1, 1))  # T, d, d_k


def _arguments(random: np.random.RandomState, tokens: int, d: int, d_k: int) -> list[Any]:
    layers = [[numbers(random, d, d_k, size=0.7), numbers(random, d, d_k, size=0.7), numbers(random, d, d, size=0.7)] for _ in range(2)]
    return [numbers(random, tokens, d), *layers]


def _with_long(arguments: list[Any], layer: int) -> list[Any]:
    """The same with queries of one layer forty times as long."""
    x, *layers = arguments
    w_query, w_key, w_value = layers[layer]
    layers[layer] = [40 * w_query, w_key, w_value]
    return [x, *layers]


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    one, other = _arguments(random, 5, 4, 3), _arguments(random, 5, 4, 3)
    whole = [random.randint(-1, 2, size=(4, 3)), *([random.randint(-1, 2, size=(3, 2)) for _ in "qk"] + [np.eye(3, dtype=int)] for _ in range(2))]
    return {
        "tokens": [_arguments(random, *sizes) for sizes in SIZES],
        "the same tokens with other matrices": [one, [one[0], *other[1:]], [one[0], one[1], other[2]], [one[0], other[2], one[1]]],
        "the same matrices in both layers": [[one[0], one[1], one[1]]],
        "many tokens": [_arguments(random, 60, 3, 2)],
        "integers": [whole],
        "long queries": [_with_long(_arguments(random, 5, 4, 3), layer) for layer in (0, 1)],
    }


EXERCISE = Exercise(
    title="attention on what attention has collected",
    shows=("weights", "weights", "vectors"),
    inputs=[
        Input("the three tokens of the card", EXAMPLE),
        Input("two tokens, d = 3 and d_k = 2", _arguments(np.random.RandomState(3), 2, 3, 2)),
        Input("four tokens, all sizes four", _arguments(np.random.RandomState(4), 4, 4, 4)),
        Input("a single token", _arguments(np.random.RandomState(5), 1, 3, 2)),
    ],
    kinds=_kinds,
    parts=("first weights", "second weights", "outputs"),
)
