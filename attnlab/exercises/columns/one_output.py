"""`one_output(n, X, ...)`: the output of one token."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.columns import (
    EXTREMES,
    FOUR,
    ONE,
    PARAMETERS_OF_FOUR,
    PARAMETERS_OF_ONE,
    PARAMETERS_OF_TWO,
    QKV,
    SIZES,
    SOME,
    TWO,
    Kinds,
    P,
    X,
    beside_long_ones,
    floats,
    in_order,
    kinds_of_edge_cases,
    kinds_of_floats,
    kinds_of_integers,
    scores_of,
    small_columns,
)

FIVE, PARAMETERS_OF_FIVE = small_columns(5, 3, 4, 6)


def _kinds(random: np.random.RandomState) -> Kinds:
    tables = []
    for place, column in enumerate(EXTREMES):
        table = np.round(4 * random.normal(size=(3, 3)))
        table[:, place % 3] = column
        tables.append([place % 3, *scores_of(table, random, QKV)])
    further = kinds_of_floats(random, QKV, SIZES) | kinds_of_integers(random, QKV)
    del further["tokens"]
    return {
        "the first token": [[0, *floats(random, QKV, one)] for one in SIZES],
        "the last token": [[one[0] - 1, *floats(random, QKV, one)] for one in SIZES],
        "a token in the middle": [[one[0] // 2, *floats(random, QKV, one)] for one in SIZES],
        "many tokens": [[int(random.randint(25, 50)), *floats(random, QKV, (50, 5, 20, 4))]],
        "a token number that is NumPy's": [[np.int64(one[0] - 1), *floats(random, QKV, one)] for one in SOME],
        "the same tokens, and each of them asks": [[n, *further["the same tokens with other matrices"][0]] for n in range(5)],
        **{kind: [[(2 * place + 1) % arguments[0].shape[1], *arguments] for place, arguments in enumerate(each)] for kind, each in further.items()},
        "long vectors": [[n, *floats(random, QKV, one, size=60)] for one in SOME for n in (0, one[0] - 1)],
        "one short vector beside long ones": [[n, *beside_long_ones(random, QKV, one)] for one in SOME for n in (0, one[0] - 1)],
        "scores of very different size": tables,
        **{kind: [[arguments[0].shape[1] // 2, *arguments]] for kind, [arguments] in kinds_of_edge_cases(random, QKV).items()},
    }


EXERCISE = Exercise(
    title="one query, all keys, one mix of values",
    shows=("vectors in columns",),
    inputs=[
        Input("token 0 of the example", [0, X, *in_order(QKV, P)]),
        Input("the same with n=2", [2, X, *in_order(QKV, P)]),
        Input("two tokens, D_k = 4 and D_v = 5, n=1", [1, TWO, *in_order(QKV, PARAMETERS_OF_TWO)]),
        Input("five tokens, n=4", [4, FIVE, *in_order(QKV, PARAMETERS_OF_FIVE)]),
        Input("four tokens, all sizes four, n=3", [3, FOUR, *in_order(QKV, PARAMETERS_OF_FOUR)]),
        Input("a single token", [0, ONE, *in_order(QKV, PARAMETERS_OF_ONE)]),
        Input("long vectors, n=1", [1, 60 * TWO, *in_order(QKV, PARAMETERS_OF_TWO)]),
    ],
    kinds=_kinds,
)
