"""`positional_encoding(T, k)`: sine in even columns, cosine in odd ones."""

from __future__ import annotations

from attnlab.diagnosis.exercise import Exercise, Input

EXERCISE = Exercise(
    title="one vector for each place",
    inputs=[
        Input("T = 5, k = 6", [5, 6]),
        Input("an odd k", [4, 5]),
        Input("a wide table", [6, 12]),
        Input("one number per place", [3, 1]),
        Input("a single place", [1, 4]),
    ],
)
