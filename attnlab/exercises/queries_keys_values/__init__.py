"""The exercises of lesson 2, a file each; here stands what several of them need."""

from __future__ import annotations

import numpy as np

TOKENS = np.array([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])

W_KEY = np.array([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])

W_QUERY = np.array([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])

W_VALUE = np.array([[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])


def small_rows(tokens: int, d_in: int, d_k: int, d_v: int, seed: int = 1) -> list[np.ndarray]:
    """x, w_query, w_key and w_value with sizes that differ from each other, in steps of a half so that a person can follow."""
    rng = np.random.RandomState(seed)
    w_query, w_key, w_value, x = (rng.randint(-2, 3, size=size) / 2 for size in ((d_in, d_k), (d_in, d_k), (d_in, d_v), (tokens, d_in)))
    return [x, w_query, w_key, w_value]


THIN = small_rows(2, 3, 4, 5)

CUBE = small_rows(3, 3, 3, 3, seed=7)  # all sizes equal: much that raises elsewhere runs here, and is known by its numbers
