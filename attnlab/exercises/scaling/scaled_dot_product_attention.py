"""`scaled_dot_product_attention(q, k, v)` in torch, for any number of axes before the last two."""

from __future__ import annotations

import numpy as np
import torch

from attnlab.diagnosis.drawn import edge_batches, numbers
from attnlab.diagnosis.exercise import Exercise, Input, Probes
from attnlab.diagnosis.probes.scaling import scales
from attnlab.exercises.scaling import extreme, halves


def tensors(front: tuple[int, ...], queries: int, keys: int, d_k: int, d_v: int, seed: int) -> list[torch.Tensor]:
    """q, k and v."""
    return list(map(torch.from_numpy, halves((*front, queries, d_k), (*front, keys, d_k), (*front, keys, d_v), seed=seed)))


BATCH = tensors((2,), 3, 4, 5, 3, seed=5)


SIZES = ((6, 2, 3, 4), (4, 4, 4, 4), (1, 7, 2, 3), (7, 1, 2, 3), (1, 1, 3, 2), (3, 5, 1, 1), (5, 3, 2, 9), (40, 130, 128, 5))  # T, S, d_k, d_v


def _kinds(random: np.random.RandomState) -> dict[str, list[list[torch.Tensor]]]:
    def drawn(front: tuple[int, ...], T: int, S: int, d_k: int, d_v: int) -> list[torch.Tensor]:
        return [torch.from_numpy(numbers(random, *front, *size)) for size in ((T, d_k), (S, d_k), (S, d_v))]

    first, other = drawn((2,), 5, 6, 3, 2), drawn((2,), 5, 6, 3, 2)
    asking, keys = map(torch.from_numpy, extreme(random))
    values = torch.from_numpy(numbers(random, 4, 3))
    short = torch.from_numpy(numbers(random, 3, 4) * [[1 / 64], [1], [5000]])
    return {
        "two sequences": [
            first,
            [first[0], *other[1:]],
            [*first[:2], other[2]],
            first,
            *(drawn((2,), *sizes) for sizes in SIZES),
            [torch.from_numpy(random.normal(size=shape)) for shape in ((2, 3, 5), (2, 4, 5), (2, 4, 2))],
        ],
        "other axes in front": [
            *(drawn(front, *sizes) for front in ((), (1,), (3,), (2, 3), (1, 1), (2, 1, 3), (2, 1, 2, 2)) for sizes in ((4, 5, 3, 2), (3, 3, 3, 3))),
            [tensor.transpose(1, 2) for tensor in drawn((2, 5), 3, 3, 4, 2)],  # two axes in front were swapped: the numbers lie in another order
        ],
        "long vectors": [
            [asking, keys, values],
            [torch.stack([asking, asking.flip(0)]), torch.stack([keys, keys]), torch.stack([values, values.flip(0)])],
            *([row[None], keys, values] for row in asking),
            [short, *drawn((), 1, 5, 4, 2)[1:]],
        ],
        "both types": [[tensor.to(dtype) for tensor in drawn((2,), 5, 4, 3, 2)] for dtype in (torch.float64, torch.float32, torch.float64)],
        **{f"two sequences, tokens {what}": [list(map(torch.from_numpy, arrays))] for what, arrays in edge_batches(random, 3, count=3).items()},
    }


EXERCISE = Exercise(
    title="scaled attention for tensors",
    shows=("vectors",),
    inputs=[
        Input("two sequences of the card", BATCH),
        Input("no axis in front, d_k = 2", tensors((), 4, 3, 2, 5, seed=3)),
        Input("two axes in front, T = S", tensors((2, 3), 4, 4, 6, 2, seed=6)),
        Input("one query and one key", tensors((2,), 1, 1, 3, 2, seed=7)),
        Input("long vectors", [60 * BATCH[0], 60 * BATCH[1], BATCH[2]]),
    ],
    kinds=_kinds,
    probes=Probes(first=scales.explain_scale),
)
