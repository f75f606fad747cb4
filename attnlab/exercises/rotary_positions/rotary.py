"""`rotary(x, positions)`: neighbouring components rotated by position times frequency, as in RoFormer (Su and others, 2021), section 3.2."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.drawn import edge_cases, numbers
from attnlab.diagnosis.exercise import Exercise, Input

TOKENS = np.array([[1.0, 2, 3, 4], [1, 0, 1, 0], [0.5, -1, 2, 1]])

SIZES = ((5, 6), (4, 4), (3, 8), (7, 2), (1, 4), (12, 10))


def _kinds(random: np.random.RandomState) -> dict[str, list[list[np.ndarray]]]:
    tokens = [numbers(random, *size) for size in SIZES]
    in_order = [np.arange(len(x)) for x in tokens]
    x, order = tokens[0], random.permutation(9)[:5]
    return {
        "positions 0, 1, 2 and so on": [[x, positions] for x, positions in zip(tokens, in_order)],
        "positions that begin later": [[x, positions + random.randint(1, 60)] for x, positions in zip(tokens, in_order)],
        "positions in any order": [[x, order], [x, order[::-1].copy()], [tokens[1], np.array([3, 3, 0, 11])]],
        "positions that are floats": [[x, order.astype(float)], [tokens[3], np.arange(7) / 2]],
        "tokens with all their digits": [[random.normal(size=(4, 6)), np.arange(4) + random.randint(9)]],
        "tokens of integers": [[random.randint(-9, 10, size=(5, 4)), np.arange(5)]],
        "tokens in an array that was transposed": [[numbers(random, 6, 5).T, np.arange(5)]],
        "long vectors": [[2.0**10 * x, in_order[0]]],
        **{f"tokens, {what}, two at each position": [[rows, np.arange(len(rows)) // 2]] for what, [rows] in edge_cases(random, 4).items()},
    }


EXERCISE = Exercise(
    title="tokens rotated by their position",
    shows=("vectors",),
    inputs=[
        Input("three tokens at the positions 0, 1, 2", [TOKENS, np.array([0, 1, 2])]),
        Input("the same tokens at other positions", [TOKENS, np.array([7, 3, 40])]),
        Input("six components", [np.arange(1.0, 25).reshape(4, 6) % 7 - 3, np.array([0, 1, 2, 3])]),
        Input("a single pair of integers", [np.array([[3, -2]]), np.array([5])]),
    ],
    kinds=_kinds,
)
