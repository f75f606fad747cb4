"""`scores_of_one_query(query, keys)`: one query against all keys."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.drawn import numbers
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.queries_keys_values import TOKENS, W_KEY, W_QUERY

SIZES = ((5, 3), (3, 3), (1, 4), (2, 7), (4, 1), (1, 1), (150, 20))


def _kinds(random: np.random.RandomState) -> dict[str, list[list[np.ndarray]]]:
    floats = [(numbers(random, d_k), numbers(random, tokens, d_k)) for tokens, d_k in SIZES]
    integers = [(random.randint(-9, 10, size=d_k), random.randint(-9, 10, size=(tokens, d_k))) for tokens, d_k in SIZES]
    return {
        "floats": [list(pair) for pair in floats] + [[random.normal(size=4), random.normal(size=(3, 4))]],
        "a long query": [[64 * query, keys] for query, keys in floats[:3]],
        "a short query": [[query / short, keys] for short in (64, 2**14) for query, keys in floats[:3]],
        "keys in an array that was transposed": [[numbers(random, 3), numbers(random, 3, 5).T], [numbers(random, 3), numbers(random, 3, 3).T]],
        "some keys of zeros": [[query, keys * (np.arange(len(keys)) % 2)[:, None]] for query, keys in floats[:4]],
        "integers": [list(pair) for pair in integers],
        "large integers": [[query * (10**6 + 3), keys * (10**6 + 7)] for query, keys in integers],
        "a query of integers and keys of floats": [[query, keys + 0.5] for query, keys in integers],
        "a query of floats and keys of integers": [[query + 0.5, keys] for query, keys in integers],
        "another query for the same keys": [[query[::-1] + 1, keys] for query, keys in floats[:2]],
        "other keys for the same query": [[query, keys[::-1] + 1] for query, keys in floats[:2]],
    }


EXERCISE = Exercise(
    title="one query against all keys",
    shows=("scores",),
    inputs=[
        Input("query 1 and the three keys of the example", [(TOKENS @ W_QUERY)[1], TOKENS @ W_KEY]),
        Input("two keys of dimension 4", [np.array([1, 0, -2, 3]), np.array([[1, 2, 3, 4], [0, 1, 1, 0]])]),
        Input("three keys of dimension 3", [np.array([0.5, 1, -1]), np.array([[1.0, 2, 0], [0, 1, 3], [2, 2, 2]])]),
        Input("five keys of dimension 3", [np.array([1.5, -1, 2]), np.array([[1.0, 2, 0], [3, -1, 1], [-2, 0.5, 4], [4, 1, -1], [0.5, 3, 2]])]),
        Input("a single key", [np.array([2.0, 1]), np.array([[3.0, -1]])]),
    ],
    kinds=_kinds,
)
