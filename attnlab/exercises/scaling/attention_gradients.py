"""`attention_gradients(q, k, v, g)`: the gradients at queries, keys and values."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input


def backwards(queries: int, keys: int, d: int, d_v: int, seed: int) -> list[np.ndarray]:
    """q, k, v and the gradient at the outputs, in steps of a half."""
    rng = np.random.RandomState(seed)
    return [rng.randint(-4, 5, size=size) / 2 for size in [(queries, d), (keys, d), (keys, d_v), (queries, d_v)]]


BACK = backwards(3, 4, 5, 2, seed=8)


EXERCISE = Exercise(
    title="the way back through scaled attention",
    inputs=[
        Input("three queries and four keys", BACK),
        Input("one query and two keys", backwards(1, 2, 3, 2, seed=9)),
        Input("T = S and d = d_v", backwards(3, 3, 2, 2, seed=10)),
        Input("longer vectors", [3 * BACK[0], 3 * BACK[1], *BACK[2:]]),
        Input("whole numbers", [(2 * array).astype(np.int64) for array in backwards(2, 3, 4, 2, seed=12)]),
    ],
    parts=("queries", "keys", "values"),
)
