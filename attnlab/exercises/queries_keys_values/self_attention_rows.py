"""`self_attention_rows(x, w_query, w_key, w_value)`: tokens in rows."""

from __future__ import annotations

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.queries_keys_values import CUBE, THIN, TOKENS, W_KEY, W_QUERY, W_VALUE, small_rows

EXERCISE = Exercise(
    title="three roles, tokens in rows",
    inputs=[
        Input("the integer example", [TOKENS, W_QUERY, W_KEY, W_VALUE]),
        Input("five tokens, d_in = 3, d_k = 4, d_v = 2", small_rows(5, 3, 4, 2, seed=4)),
        Input("two tokens, all sizes three", small_rows(2, 3, 3, 3, seed=5)),
        Input("three tokens, all sizes three", CUBE),
        Input("a single token", small_rows(1, 3, 2, 4, seed=2)),
        Input("long vectors", [60 * THIN[0], *THIN[1:]]),
    ],
)
