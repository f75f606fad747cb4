"""`query_key_value(x_n, ...)`: the three vectors of one token."""

from __future__ import annotations

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.columns import PARAMETERS_OF_TWO, QKV, TWO, P, X, in_order

EXERCISE = Exercise(
    title="the three vectors of one token",
    inputs=[
        Input("token 0 of the example", [X[:, :1], *in_order(QKV, P)]),
        Input("D = 3, D_k = 4 and D_v = 5", [TWO[:, :1], *in_order(QKV, PARAMETERS_OF_TWO)]),
    ],
    parts=("query", "key", "value"),
)
