"""`one_output(n, X, ...)`: the output of one token."""

from __future__ import annotations

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.columns import FOUR, ONE, PARAMETERS_OF_FOUR, PARAMETERS_OF_ONE, PARAMETERS_OF_TWO, QKV, TWO, P, X, in_order, small_columns

FIVE, PARAMETERS_OF_FIVE = small_columns(5, 3, 4, 6)


EXERCISE = Exercise(
    title="one query, all keys, one mix of values",
    inputs=[
        Input("token 0 of the example", [0, X, *in_order(QKV, P)]),
        Input("the same with n=2", [2, X, *in_order(QKV, P)]),
        Input("two tokens, D_k = 4 and D_v = 5, n=1", [1, TWO, *in_order(QKV, PARAMETERS_OF_TWO)]),
        Input("five tokens, n=4", [4, FIVE, *in_order(QKV, PARAMETERS_OF_FIVE)]),
        Input("four tokens, all sizes four, n=3", [3, FOUR, *in_order(QKV, PARAMETERS_OF_FOUR)]),
        Input("a single token", [0, ONE, *in_order(QKV, PARAMETERS_OF_ONE)]),
        Input("long vectors, n=1", [1, 60 * TWO, *in_order(QKV, PARAMETERS_OF_TWO)]),
    ],
)
