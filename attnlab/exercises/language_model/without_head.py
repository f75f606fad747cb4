"""`without_head(unify, heads, head)`: the matrix behind the heads, without what it adds for one of them."""

from __future__ import annotations

import numpy as np
import torch

from attnlab.diagnosis.drawn import edge_squares, numbers
from attnlab.diagnosis.exercise import Exercise, Input

SIZES = ((6, 2), (12, 4), (4, 1), (5, 5), (12, 2), (9, 3), (48, 4))  # k, heads


def _kinds(random: np.random.RandomState) -> dict[str, list[list[object]]]:
    return {
        "each head": [[torch.from_numpy(numbers(random, k, k)).float(), heads, head] for k, heads in SIZES for head in range(heads)],
        **{f"rows {what}": [[torch.from_numpy(square).float(), len(square), 1]] for what, square in edge_squares(random).items()},
    }


def drawn(k: int, seed: int) -> torch.Tensor:
    """A matrix `(k, k)` of whole numbers without a zero."""
    return torch.from_numpy(np.random.RandomState(seed).randint(1, 10, size=(k, k))).float()


EXERCISE = Exercise(
    title="a matrix without one head",
    inputs=[
        Input("the matrix of the card", [drawn(6, 1), 2, 0]),
        Input("three heads, the last off", [drawn(6, 2), 3, 2]),
        Input("six heads of one component", [drawn(6, 3), 6, 4]),
        Input("one head", [drawn(3, 4), 1, 0]),
        Input("two heads, the last off", [drawn(8, 5), 2, 1]),
    ],
    kinds=_kinds,
)
