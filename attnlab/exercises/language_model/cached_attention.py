"""`cached_attention(q, k, v, keys=None, values=None)`: causal attention of new tokens, with the keys and values of earlier ones."""

from __future__ import annotations

import numpy as np
import torch

from attnlab.diagnosis.drawn import edge_batches, numbers
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.scaling import halves

Sizes = tuple[int, int, int, int]  # heads, new tokens, earlier tokens, s


def tensors(heads: int, t: int, n: int, s: int, seed: int) -> list[torch.Tensor]:
    """q, k, v and, for n earlier tokens, their keys and values."""
    return list(map(torch.from_numpy, halves(*[(heads, t, s)] * 3, *[(heads, n, s)] * (2 if n else 0), seed=seed)))


def _kinds(random: np.random.RandomState) -> dict[str, list[list[torch.Tensor]]]:
    def drawn(heads: int, t: int, n: int, s: int, size: float = 1.0) -> list[torch.Tensor]:
        shapes = [(heads, t, s)] * 3 + [(heads, n, s)] * (2 if n else 0)
        return [torch.from_numpy(size * numbers(random, *shape)).float() for shape in shapes]

    def behind(n: int, arrays: list[np.ndarray]) -> list[torch.Tensor]:
        """Of queries, keys and values of all tokens, those of the first n as earlier ones."""
        q, k, v = (torch.from_numpy(array).float() for array in arrays)
        return [q[:, n:], k[:, n:], v[:, n:], *([k[:, :n], v[:, :n]] if n else [])]

    first = drawn(2, 1, 4, 3)
    edge = edge_batches(random, 3, count=3)
    return {
        "nothing earlier": [drawn(*sizes) for sizes in ((2, 4, 0, 3), (1, 1, 0, 2), (3, 3, 0, 3), (2, 30, 0, 8))],
        "one new token": [first, [first[0], *drawn(2, 1, 4, 3)[1:]], *(drawn(*sizes) for sizes in ((1, 1, 1, 1), (4, 1, 4, 4), (3, 1, 50, 16)))],
        "several new tokens": [
            *(drawn(*sizes) for sizes in ((2, 3, 4, 3), (1, 2, 1, 4), (3, 3, 3, 3), (2, 4, 1, 2), (1, 2, 9, 5), (2, 20, 30, 8))),
            drawn(2, 3, 4, 3, size=40.0),
        ],
        **{f"nothing earlier, tokens {what}": [behind(0, arrays)] for what, arrays in edge.items()},
        **{f"one new token, tokens {what}": [behind(arrays[0].shape[1] - 1, arrays)] for what, arrays in edge.items()},
        "several new tokens, some equal to earlier ones": [behind(3, edge["some equal and one of zeros"])],
    }


EXERCISE = Exercise(
    title="attention of new tokens, with a cache",
    shows=("vectors", "vectors", "vectors"),
    gives_views=True,  # without earlier ones, keys and values are those that came in
    inputs=[
        Input("the two new tokens of the card", tensors(1, 2, 3, 4, seed=21)),
        Input("nothing earlier", tensors(2, 3, 0, 2, seed=22)),
        Input("nothing earlier, five components", tensors(2, 3, 0, 5, seed=26)),
        Input("one new token", tensors(2, 1, 4, 3, seed=23)),
        Input("as many new tokens as earlier ones", tensors(2, 3, 3, 4, seed=24)),
        Input("more new tokens than earlier ones", tensors(1, 4, 1, 9, seed=25)),
    ],
    kinds=_kinds,
    parts=("outputs", "keys", "values"),
    stages={
        "nothing earlier": ["nothing earlier", "nothing earlier, five components"],
        "one new token": ["one new token"],
        "several new tokens": [
            "the two new tokens of the card",
            "as many new tokens as earlier ones",
            "more new tokens than earlier ones",
            "several new tokens",
        ],
    },
)
