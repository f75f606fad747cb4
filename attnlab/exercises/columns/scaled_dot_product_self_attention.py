"""`scaled_dot_product_self_attention(X, ...)`: scaled by sqrt(D_k)."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.columns import (
    FOUR,
    PARAMETERS_OF_FOUR,
    SIZES,
    VQK,
    Kinds,
    P,
    X,
    floats,
    in_order,
    kinds_of_edge_cases,
    kinds_of_floats,
    kinds_of_integers,
    kinds_of_long_vectors,
    small_columns,
)


def scaled_case(tokens: int, d_in: int, d_k: int, d_v: int, seed: int) -> list[np.ndarray]:
    """Arguments of the scaled exercise."""
    columns, parameters = small_columns(tokens, d_in, d_k, d_v, seed)
    return [columns, *in_order(VQK, parameters)]


SCALED_TWO = scaled_case(2, 3, 5, 4, seed=5)


def _kinds(random: np.random.RandomState) -> Kinds:
    return {
        **kinds_of_floats(random, VQK, SIZES),
        "long queries and keys": [floats(random, VQK, (4, 5, D_k, 2)) for D_k in (30, 100)],
        "many tokens": [floats(random, VQK, (150, 4, 2, 3))],
        **kinds_of_edge_cases(random, VQK),
        **kinds_of_integers(random, VQK),
        **kinds_of_long_vectors(random, VQK, factor=2),  # the root of D_k
    }


EXERCISE = Exercise(
    title="self-attention in columns, scaled",
    shows=("vectors in columns",),
    inputs=[
        Input("the three columns of the example", [X, *in_order(VQK, P)]),
        Input("two tokens, D = 3, D_k = 5, D_v = 4", SCALED_TWO),
        Input("five tokens, D = 3, D_k = 2, D_v = 6", scaled_case(5, 3, 2, 6, seed=2)),
        Input("four tokens, all sizes four", [FOUR, *in_order(VQK, PARAMETERS_OF_FOUR)]),
        Input("a single token", scaled_case(1, 3, 2, 4, seed=4)),
        Input("long vectors", [60 * SCALED_TWO[0], *SCALED_TWO[1:]]),
    ],
    kinds=_kinds,
)
