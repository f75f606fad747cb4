"""`self_attention_rows(x, w_query, w_key, w_value)`: tokens in rows."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.queries_keys_values import CUBE, THIN, TOKENS, W_KEY, W_QUERY, W_VALUE, float_rows, long_rows, rows, small_rows


def _integers(random: np.random.RandomState) -> list[list[np.ndarray]]:
    whole, real = [random.randint(-2, 3, size=array.shape) for array in rows(random, 5, 4, 3, 2)], rows(random, 5, 4, 3, 2)
    return [
        whole,
        [random.randint(-2, 3, size=(3, 3)) for _ in range(4)],
        *([*real[:place], whole[place], *real[place + 1 :]] for place in range(4)),
        *([*whole[:place], real[place], *whole[place + 1 :]] for place in range(4)),
    ]


EXERCISE = Exercise(
    title="three roles, tokens in rows",
    shows=("vectors",),
    inputs=[
        Input("the integer example", [TOKENS, W_QUERY, W_KEY, W_VALUE]),
        Input("five tokens, d_in = 3, d_k = 4, d_v = 2", small_rows(5, 3, 4, 2, seed=4)),
        Input("two tokens, all sizes three", small_rows(2, 3, 3, 3, seed=5)),
        Input("three tokens, all sizes three", CUBE),
        Input("a single token", small_rows(1, 3, 2, 4, seed=2)),
        Input("long vectors", [60 * THIN[0], *THIN[1:]]),
    ],
    kinds=lambda random: {**float_rows(random), "integers": _integers(random), **long_rows(random)},
)
