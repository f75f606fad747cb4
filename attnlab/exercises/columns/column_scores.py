"""`column_scores(X, ...)`: entry `[m, n]` is key m times query n."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.columns import (
    FOUR,
    ONE,
    PARAMETERS_OF_FOUR,
    PARAMETERS_OF_ONE,
    PARAMETERS_OF_TWO,
    SIZES,
    SOME,
    TWO,
    Kinds,
    P,
    X,
    floats,
    in_order,
    kinds_of_edge_cases,
    kinds_of_floats,
    kinds_of_integers,
)

SCORED = ("omega_q", "omega_k", "beta_q", "beta_k")


def _kinds(random: np.random.RandomState) -> Kinds:
    return {
        **kinds_of_floats(random, SCORED, SIZES),
        "long queries and keys": [floats(random, SCORED, (4, 6, D_k, 1)) for D_k in (64, 100)],
        "many tokens": [floats(random, SCORED, (120, 5, 8, 1))],
        "long vectors": [floats(random, SCORED, one, size=60) for one in SOME],
        **kinds_of_edge_cases(random, SCORED),
        **kinds_of_integers(random, SCORED, SIZES[:4]),
    }


EXERCISE = Exercise(
    title="every key against every query",
    shows=("scores in columns",),
    inputs=[
        Input("the three columns of the example", [X, *in_order(SCORED, P)]),
        Input("two tokens of D = 3, D_k = 4", [TWO, *in_order(SCORED, PARAMETERS_OF_TWO)]),
        Input("four tokens, all sizes four", [FOUR, *in_order(SCORED, PARAMETERS_OF_FOUR)]),
        Input("a single token", [ONE, *in_order(SCORED, PARAMETERS_OF_ONE)]),
    ],
    kinds=_kinds,
)
