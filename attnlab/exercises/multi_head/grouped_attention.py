"""`grouped_attention(q, k, v)`: attention between two sequences, with heads of keys and values that several heads of queries share."""

from __future__ import annotations

import numpy as np
import torch

from attnlab.diagnosis.drawn import edge_batches, numbers
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.scaling import extreme, halves

Sizes = tuple[int, int, int, int, int, int, int]  # B, h, g, T, S, s, d_v


def _shapes(B: int, h: int, g: int, T: int, S: int, s: int, d_v: int) -> tuple[tuple[int, ...], ...]:
    return (B, h, T, s), (B, g, S, s), (B, g, S, d_v)


def tensors(*sizes: int, seed: int) -> list[torch.Tensor]:
    """q, k and v."""
    return list(map(torch.from_numpy, halves(*_shapes(*sizes), seed=seed)))


CARD = tensors(1, 4, 2, 2, 3, 2, 3, seed=12)

EQUAL: list[Sizes] = [
    (2, 3, 3, 4, 5, 6, 2),
    (1, 2, 2, 6, 2, 3, 4),
    (4, 4, 4, 4, 4, 4, 4),
    (2, 1, 1, 3, 5, 2, 3),
    (2, 2, 2, 1, 5, 3, 4),
    (2, 2, 2, 5, 1, 3, 4),
    (1, 1, 1, 1, 1, 1, 1),
    (1, 2, 2, 40, 130, 128, 5),
]
SHARED: list[Sizes] = [
    (2, 6, 2, 4, 5, 3, 2),
    (2, 6, 3, 4, 5, 4, 2),
    (3, 4, 1, 3, 3, 4, 4),
    (2, 8, 2, 5, 4, 4, 6),
    (4, 4, 2, 4, 4, 4, 4),
    (2, 2, 1, 5, 2, 1, 1),
    (1, 9, 3, 1, 6, 3, 2),
    (1, 4, 2, 6, 1, 3, 2),
    (1, 4, 2, 30, 130, 12, 5),
]


def _kinds(random: np.random.RandomState) -> dict[str, list[list[torch.Tensor]]]:
    def drawn(sizes: Sizes) -> list[torch.Tensor]:
        return [torch.from_numpy(numbers(random, *shape)) for shape in _shapes(*sizes)]

    first = drawn(EQUAL[0])
    asking, keys = map(torch.from_numpy, extreme(random))
    values = torch.from_numpy(numbers(random, 1, 2, 4, 3))
    long = [torch.stack([asking, asking.flip(0)])[None], torch.stack([keys, keys.flip(0)])[None], values]
    return {
        "as many heads of keys": [
            first,
            [first[0], *drawn(EQUAL[0])[1:]],
            [*first[:2], drawn(EQUAL[0])[2]],
            first,
            *map(drawn, EQUAL[1:]),
            [tensor.to(torch.float32) for tensor in drawn(EQUAL[1])],
            [tensor.transpose(1, 2) for tensor in drawn((2, 3, 3, 3, 3, 5, 4))],  # two axes were swapped: the numbers lie in another order
        ],
        "shared heads": [*map(drawn, SHARED), drawn(SHARED[0]), [tensor.to(torch.float32) for tensor in drawn(SHARED[0])]],
        **{
            f"shared heads, tokens {what}": [[torch.from_numpy(np.stack([x, -x, x])).repeat(1, heads, 1, 1) for x, heads in zip(arrays, (2, 1, 1))]]
            for what, arrays in edge_batches(random, 3, count=3).items()
        },
        "long vectors": [long, [20 * tensor for tensor in drawn(EQUAL[0])]],
    }


EXERCISE = Exercise(
    title="attention over keys and values that several heads share",
    shows=("vectors",),
    inputs=[
        Input("the four heads of the card", CARD),
        Input("as many heads of keys as of queries", tensors(2, 3, 3, 4, 5, 6, 2, seed=13)),
        Input("one head of keys for all", tensors(2, 4, 1, 3, 5, 4, 3, seed=14)),
        Input("three heads share each", tensors(1, 6, 2, 2, 4, 3, 5, seed=15)),
        Input("one query and one key", tensors(2, 4, 2, 1, 1, 3, 2, seed=16)),
        Input("long vectors", [60 * CARD[0], 60 * CARD[1], CARD[2]]),
    ],
    kinds=_kinds,
)
