"""`looks_at(weights)`: where the largest weight of each query stands."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input

EXERCISE = Exercise(
    title="where each query looks",
    inputs=[
        Input("the weights of the picture", [np.array([[0.55, 0.35, 0.1], [0.2, 0.7, 0.1], [0.6, 0.25, 0.15]])]),
        Input("two tokens that look at each other", [np.array([[0.4, 0.6], [0.7, 0.3]])]),
        Input("five tokens", [np.roll(np.diag([1.0, 0.8, 0.6, 0.5, 0.4]), 2, axis=1) + np.linspace(0, 0.1, 25).reshape(5, 5)]),
        Input("nine tokens", [np.random.RandomState(3).dirichlet(np.ones(9), size=9)]),
        Input("a single token", [np.array([[1.0]])]),
    ],
)
