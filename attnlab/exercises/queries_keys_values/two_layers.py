"""`two_layers(x, first, second)`: attention that also reads what attention has collected."""

from __future__ import annotations

from typing import Any

import numpy as np

from attnlab.diagnosis.drawn import edge_cases, numbers
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.relations.relations import rows_sum_to_one
from attnlab.exercises.queries_keys_values import TOKENS, W_KEY, W_QUERY

SECOND = [np.vstack([matrix, [[1, 0, -1], [0, 1, 1]]]) / 2 for matrix in (W_KEY, W_QUERY)]
EXAMPLE = [TOKENS / 2, [W_QUERY / 2, W_KEY / 2, np.eye(4)[:, :2]], [*SECOND, np.eye(6)[:, ::2].copy()]]
SIZES = ((5, 4, 3, 2, 6), (2, 3, 5, 1, 2), (4, 4, 4, 4, 4), (6, 2, 1, 3, 1), (1, 3, 2, 2, 3), (1, 1, 1, 1, 1))  # T, d, d_k, c, d_v


def _arguments(random: np.random.RandomState, tokens: int, d: int, d_k: int, c: int, d_v: int) -> list[Any]:
    first = [numbers(random, *shape, size=0.7) for shape in ((d, d_k), (d, d_k), (d, c))]
    second = [numbers(random, *shape, size=0.7) for shape in ((d + c, d_k), (d + c, d_k), (d + c, d_v))]
    return [numbers(random, tokens, d), first, second]


def _with_long(arguments: list[Any], layer: int) -> list[Any]:
    """The same with queries of one layer forty times as long."""
    x, *layers = arguments
    w_query, w_key, w_value = layers[layer]
    layers[layer] = [40 * w_query, w_key, w_value]
    return [x, *layers]


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    one, other = _arguments(random, 5, 4, 3, 2, 3), _arguments(random, 5, 4, 3, 2, 3)
    whole = [random.randint(-1, 2, size=(4, 3)), *([random.randint(-1, 2, size=(d, 2)) for _ in "qkv"] for d in (3, 5))]
    return {
        "tokens": [_arguments(random, *sizes) for sizes in SIZES],
        "the same tokens with other matrices": [one, [one[0], *other[1:]], [one[0], one[1], other[2]], [one[0], other[1], one[2]]],
        "many tokens": [_arguments(random, 60, 3, 2, 2, 3)],
        "integers": [whole],
        "long queries": [_with_long(_arguments(random, 5, 4, 3, 2, 3), layer) for layer in (0, 1)],
        **{f"tokens, {what}": [[x, *_arguments(random, 1, 4, 3, 2, 3)[1:]]] for what, [x] in edge_cases(random, 4).items()},
    }


EXERCISE = Exercise(
    title="attention that also reads what attention has collected",
    shows=("weights", "weights", "vectors"),
    inputs=[
        Input("the three tokens of the card", EXAMPLE),
        Input("two tokens, d = 3, c = 2", _arguments(np.random.RandomState(3), 2, 3, 2, 2, 4)),
        Input("four tokens, all sizes four", _arguments(np.random.RandomState(4), 4, 4, 4, 4, 4)),
        Input("a single token", _arguments(np.random.RandomState(5), 1, 3, 2, 1, 2)),
    ],
    kinds=_kinds,
    parts=("first weights", "second weights", "outputs"),
    properties={
        "rows of the first weights": lambda parts, evidence: rows_sum_to_one(parts[0], evidence),
        "rows of the second weights": lambda parts, evidence: rows_sum_to_one(parts[1], evidence),
    },
)
