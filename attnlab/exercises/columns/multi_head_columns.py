"""`multi_head_columns(X, heads, omega_c)`: several heads."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.columns import drawn


def heads_example() -> list:
    """N = 6 tokens of dimension 8 and two heads of dimension 4, from the seeds that the card names."""
    inputs, parameters = np.random.RandomState(3), np.random.RandomState(0)
    drawn_heads = []
    for _ in range(2):
        omegas = {f"omega_{role}": parameters.normal(size=(4, 8)) for role in "qkv"}
        drawn_heads.append({**omegas, **{f"beta_{role}": parameters.normal(size=(4, 1)) for role in "qkv"}})
    return [inputs.normal(size=(8, 6)), drawn_heads, parameters.normal(size=(8, 8))]


def small_heads(N: int, factor: float = 1.0, size: int = 1) -> list:
    """Three heads for N tokens, of dimension 1 and 3 or, with another `size`, that many times as much."""
    heads = [
        {
            **{f"omega_{role}": drawn(seed + place, size, 3 * size) for place, role in enumerate("qkv")},
            **{f"beta_{role}": drawn(seed + 3 + place, size, 1) for place, role in enumerate("qkv")},
        }
        for seed in (10, 20, 30)
    ]
    return [factor * drawn(6, 3 * size, N), heads, drawn(7, 3 * size, 3 * size)]


EXERCISE = Exercise(
    title="two heads, tokens in columns",
    inputs=[
        Input("the six tokens of the card", heads_example()),
        Input("four tokens, D = 3, three heads", small_heads(4)),
        Input("two tokens, D = 6, three heads", small_heads(2, size=2)),
        Input("a single token", small_heads(1)),
        Input("large tokens", small_heads(4, 60.0)),
    ],
)
