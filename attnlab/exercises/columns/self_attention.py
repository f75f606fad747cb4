"""`self_attention(X, ...)`: outputs and attention."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.cause import Cause, Diagnosis, unknown
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.relations.relations import ROUNDED
from attnlab.exercises.columns import (
    FOUR,
    ONE,
    PARAMETERS_OF_FOUR,
    PARAMETERS_OF_ONE,
    PARAMETERS_OF_TWO,
    SIZES,
    TWO,
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
)


def columns_sum_to_one(attention: np.ndarray) -> Diagnosis | None:
    """Down each column (over the keys) the weights sum to 1."""
    columns = attention.sum(axis=0)
    if np.allclose(columns, 1, atol=ROUNDED):
        return None
    rows, whole = attention.sum(axis=1), attention.sum()
    observed = f"columns sum to {columns.min():.2f} to {columns.max():.2f}"
    if np.allclose(rows, 1, atol=1e-4):
        return Diagnosis(
            f"{observed}, rows to 1.00",
            "every column sums to 1",
            Cause(
                "self_attention.rows_sum_to_one",
                "the rows sum to 1, but here a column is one query: the softmax runs along rows, or the transpose is returned",
                "if the outputs are right, return the transpose; otherwise take the softmax down the columns: axis=0",
            ),
        )
    if np.isclose(whole, 1, atol=1e-4):
        return Diagnosis(
            f"{observed}; the whole matrix sums to 1.00",
            "every column sums to 1",
            Cause("common.sum_over_all_entries", "the sum runs over all entries instead of down each column", "give the sum its axis: axis=0"),
        )
    return Diagnosis(
        f"{observed}, rows to {rows.min():.2f} to {rows.max():.2f}",
        "every column sums to 1",
        unknown("self_attention.columns_not_normalised", "divide each column by its own sum: `e / e.sum(axis=0, keepdims=True)`"),
    )


def _kinds(random: np.random.RandomState) -> Kinds:
    return {
        **kinds_of_floats(random, VQK, SIZES),
        "long queries and keys": [floats(random, VQK, (4, 5, 20, 2))],
        "many tokens": [floats(random, VQK, (150, 4, 2, 3))],
        **kinds_of_edge_cases(random, VQK),
        **kinds_of_integers(random, VQK),
        **kinds_of_long_vectors(random, VQK),
    }


EXERCISE = Exercise(
    title="the whole of it, in columns",
    shows=("vectors in columns", "weights in columns"),
    inputs=[
        Input("the three columns of the example", [X, *in_order(VQK, P)]),
        Input("two tokens, D_k = 4 and D_v = 5", [TWO, *in_order(VQK, PARAMETERS_OF_TWO)]),
        Input("four tokens, all sizes four", [FOUR, *in_order(VQK, PARAMETERS_OF_FOUR)]),
        Input("a single token", [ONE, *in_order(VQK, PARAMETERS_OF_ONE)]),
        Input("long vectors", [60 * TWO, *in_order(VQK, PARAMETERS_OF_TWO)]),
    ],
    kinds=_kinds,
    parts=("X_prime", "attention"),
    properties={"columns": lambda parts, everywhere: columns_sum_to_one(parts[1])},
)
