"""The exercises of lesson 3, a file each; here stands what several of them need."""

from __future__ import annotations

import numpy as np

# Scaled scores of a query with four keys: far apart, or at a distance that a number in float32 still holds.
EXTREMES = (
    (1, 900, 0, -5),
    (0, 2000, 1999, -3),
    (-900, -901, -2000, -902),
    (-1e4, 1e4, 9999, 0),
    (-30000, -29999, -30001, -30002),
    (0.5, 1, -1, 0),
    (710, 0, 708, 709),
    (88, 89, 90, 87),
)


def extreme(random: np.random.RandomState) -> tuple[np.ndarray, np.ndarray]:
    """Queries and keys whose scaled scores are those, in some order; all powers of their dimension that anybody divides by are exact."""
    keys = np.eye(4, 16)
    return 4 * np.array(EXTREMES)[random.permutation(len(EXTREMES))][:, random.permutation(4)] @ keys, keys


def halves(*shapes: tuple[int, ...], seed: int) -> list[np.ndarray]:
    """Arrays of these shapes in steps of a half, so that a person can follow."""
    rng = np.random.RandomState(seed)
    return [rng.randint(-6, 7, size=shape) / 2 for shape in shapes]
