"""`weighted_values(weights, values)`: entry `[i, j]` is weight i, j times value j."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.queries_keys_values import TOKENS, W_VALUE

WEIGHTS = np.array(
    [
        [0.06337893833303762, 0.4683105308334812, 0.4683105308334812],
        [6.033664854558337e-06, 0.9820078648958167, 0.01798610143932864],
        [0.00029538722303456454, 0.8805369017749616, 0.11916771100200385],
    ]
)


EXERCISE = Exercise(
    title="every value times every weight that it gets",
    inputs=[
        Input("the weights and values of the example", [WEIGHTS, TOKENS @ W_VALUE]),
        Input("two tokens with values of dimension 4", [np.array([[0.25, 0.75], [0.5, 0.5]]), np.array([[1, 2, 3, 4], [5, 6, 7, 8]])]),
        Input(
            "four tokens with values of dimension 1",
            [np.random.RandomState(4).dirichlet(np.ones(4), size=4).round(2), np.array([[1.5], [-2.0], [0.5], [3.0]])],
        ),
        Input("weights whose rows do not sum to 1", [np.array([[2.0, -1.5], [0.5, 3.0]]), np.array([[1.0, 2.0, -3.0], [4.0, -2.0, 0.5]])]),
        Input("a single token", [np.array([[1.0]]), np.array([[2.0, 3.0]])]),
    ],
)
