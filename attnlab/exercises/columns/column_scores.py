"""`column_scores(X, ...)`: entry `[m, n]` is key m times query n."""

from __future__ import annotations

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.columns import FOUR, ONE, PARAMETERS_OF_FOUR, PARAMETERS_OF_ONE, PARAMETERS_OF_TWO, TWO, P, X, in_order

SCORED = ("omega_q", "omega_k", "beta_q", "beta_k")


EXERCISE = Exercise(
    title="every key against every query",
    inputs=[
        Input("the three columns of the example", [X, *in_order(SCORED, P)]),
        Input("two tokens of D = 3, D_k = 4", [TWO, *in_order(SCORED, PARAMETERS_OF_TWO)]),
        Input("four tokens, all sizes four", [FOUR, *in_order(SCORED, PARAMETERS_OF_FOUR)]),
        Input("a single token", [ONE, *in_order(SCORED, PARAMETERS_OF_ONE)]),
    ],
)
