"""The exercises of lesson 1, a file each; here stands what several of them need."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attnlab.diagnosis.drawn import edge_cases, numbers
from attnlab.diagnosis.relations.relations import non_negative, rows_sum_to_one

TOKENS = np.array([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])

TWO_TOKENS = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]])

SCORES = np.array([[2.0, 4, 4], [4, 16, 12], [4, 12, 10]])

WEIGHTS = {"no weight below zero": non_negative, "rows": rows_sum_to_one}

SHAPES = ((5, 7), (7, 5), (4, 4), (1, 6), (6, 1), (1, 1))
EXTREMES = ((2, 950), (950, 2), (-1e4, 1e4), (1e4, -1e4), (-1e4, -1e4), (-900, -901))  # scores of one row

PAIRS = ((10, 0, 100, 3), (100, 0, -100, 0), (0, 0, 90, 40), (30, 1, 30, 2), (1, 0, 0, 99))


def tokens(random: np.random.RandomState) -> dict[str, list[Sequence[np.ndarray]]]:
    """Tokens of every size, length and type that the cards allow; long ones are multiples of 1/2, so that float32 holds their scores exactly."""
    one = numbers(random, 4, 6)
    return {
        "tokens": [[numbers(random, *shape)] for shape in SHAPES],
        "tokens with all their digits": [[random.normal(size=(4, 5))]],
        "the same numbers in another shape": [[one], [one.reshape(6, 4)]],
        "many tokens": [[numbers(random, 130, 3)], [numbers(random, 2, 80)]],
        "long vectors": [[np.round(2 * numbers(random, *shape, size=60)) / 2] for shape in SHAPES],
        "short vectors": [[numbers(random, *shape, size=0.05)] for shape in SHAPES],
        "integers": [[random.randint(-3, 4, size=shape)] for shape in SHAPES],
        "long vectors of integers": [[40 * random.randint(-3, 4, size=shape)] for shape in SHAPES[:3]],
        "short tokens beside long ones": [
            [np.concatenate([np.array(pair, dtype=float).reshape(2, 2), numbers(random, 2, 2)])[random.permutation(4)]] for pair in PAIRS
        ],
        "tokens in an array that was transposed": [[numbers(random, 6, 4).T]],
        **{f"tokens, {what}": [arguments] for what, arguments in edge_cases(random, 4).items()},
    }
