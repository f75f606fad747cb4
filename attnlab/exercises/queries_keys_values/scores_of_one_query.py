"""`scores_of_one_query(query, keys)`: one query against all keys."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.queries_keys_values import TOKENS, W_KEY, W_QUERY

EXERCISE = Exercise(
    title="one query against all keys",
    inputs=[
        Input("query 1 and the three keys of the example", [(TOKENS @ W_QUERY)[1], TOKENS @ W_KEY]),
        Input("two keys of dimension 4", [np.array([1, 0, -2, 3]), np.array([[1, 2, 3, 4], [0, 1, 1, 0]])]),
        Input("three keys of dimension 3", [np.array([0.5, 1, -1]), np.array([[1.0, 2, 0], [0, 1, 3], [2, 2, 2]])]),
        Input("five keys of dimension 3", [np.array([1.5, -1, 2]), np.array([[1.0, 2, 0], [3, -1, 1], [-2, 0.5, 4], [4, 1, -1], [0.5, 3, 2]])]),
        Input("a single key", [np.array([2.0, 1]), np.array([[3.0, -1]])]),
    ],
)
