"""`scaled_dot_product_attention(q, k, v)` in torch, for any number of axes before the last two."""

from __future__ import annotations

import torch

from attnlab.diagnosis.exercise import Exercise, Input, Probes
from attnlab.diagnosis.probes.scaling import scales
from attnlab.exercises.scaling import halves


def tensors(front: tuple[int, ...], queries: int, keys: int, d_k: int, d_v: int, seed: int) -> list[torch.Tensor]:
    """q, k and v."""
    return list(map(torch.from_numpy, halves((*front, queries, d_k), (*front, keys, d_k), (*front, keys, d_v), seed=seed)))


BATCH = tensors((2,), 3, 4, 5, 3, seed=5)


EXERCISE = Exercise(
    title="scaled attention for tensors",
    inputs=[
        Input("two sequences of the card", BATCH),
        Input("no axis in front, d_k = 2", tensors((), 4, 3, 2, 5, seed=3)),
        Input("two axes in front, T = S", tensors((2, 3), 4, 4, 6, 2, seed=6)),
        Input("one query and one key", tensors((2,), 1, 1, 3, 2, seed=7)),
        Input("long vectors", [60 * BATCH[0], 60 * BATCH[1], BATCH[2]]),
    ],
    probes=Probes(first=scales.explain_scale),
)
