"""`query_key_value(x_n, ...)`: the three vectors of one token."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.drawn import edge_cases
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.columns import PARAMETERS_OF_TWO, QKV, TWO, Kinds, P, X, floats, in_order, kinds_of_floats, kinds_of_integers

SIZES = ((1, 7, 3, 2), (1, 2, 1, 4), (1, 3, 3, 3), (1, 1, 1, 1), (1, 5, 2, 1), (1, 1, 4, 3), (1, 40, 20, 30))


def _kinds(random: np.random.RandomState) -> Kinds:
    _, one_hot, below_zero, zeros = (x[:1].T for [x] in edge_cases(random, 4).values())
    alone = {"one-hot": one_hot, "below zero": below_zero, "of zeros": zeros, "of equal components": np.full((4, 1), 0.75)}
    return {
        **{kind.replace("tokens", "token"): each for kind, each in kinds_of_floats(random, QKV, SIZES).items()},
        **{f"token, {what}": [[x_n, *floats(random, QKV, (1, 4, 3, 2))[1:]]] for what, x_n in alone.items()},
        "a long token": [floats(random, QKV, one, size=60) for one in SIZES],
        **{
            kind.replace("integer tokens", "an integer token").replace("float tokens", "a float token"): each
            for kind, each in kinds_of_integers(random, QKV, SIZES[:4]).items()
        },
    }


EXERCISE = Exercise(
    title="the three vectors of one token",
    inputs=[
        Input("token 0 of the example", [X[:, :1], *in_order(QKV, P)]),
        Input("D = 3, D_k = 4 and D_v = 5", [TWO[:, :1], *in_order(QKV, PARAMETERS_OF_TWO)]),
    ],
    kinds=_kinds,
    parts=("query", "key", "value"),
)
