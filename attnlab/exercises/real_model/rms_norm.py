"""`rms_norm(x, weight)`: each vector divided by the root of the mean of its squares, times a learned weight."""

from __future__ import annotations

import numpy as np
import torch

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.real_model import drawn, fixed

SIZES = ((5, 8), (1, 4), (3, 3), (2, 5, 6), (1, 1), (4, 1), (30, 64), (7,))


def _kinds(random: np.random.RandomState) -> dict[str, list[list[torch.Tensor]]]:
    def pairs(size: float = 1.0, shift: float = 0.0) -> list[list[torch.Tensor]]:
        return [[drawn(random, *shape, size=size) + shift, 1 + drawn(random, shape[-1], size=0.5)] for shape in SIZES]

    small = [[drawn(random, *shape) / 2**8, 1 + drawn(random, shape[-1], size=0.5)] for shape in SIZES[:3]]
    return {
        "vectors": pairs(),
        "long vectors": pairs(size=300.0),
        "vectors whose mean is far from 0": pairs(shift=20.0),
        "short vectors": small,
        "vectors of zeros": [[torch.zeros(2, 4), drawn(random, 4)]],
    }


EXERCISE = Exercise(
    title="a norm without a mean",
    shows=("vectors",),
    inputs=[
        Input("the two vectors of the card", [torch.tensor([[3.0, 4, 0, 0], [1.0, 1, 1, 1]]), torch.tensor([1.0, 2, 1, 0.5])]),
        Input("vectors whose mean is far from 0", [drawn(fixed(1), 3, 5) + 10, 1 + drawn(fixed(2), 5, size=0.5)]),
        Input("a batch", [drawn(fixed(3), 2, 3, 4), drawn(fixed(4), 4)]),
        Input("as many vectors as components", [drawn(fixed(5), 4, 4), drawn(fixed(6), 4)]),
        Input("very short vectors", [drawn(fixed(7), 4, 4) / torch.tensor([[2.0**8], [2.0**9], [2.0**10], [2.0**12]]), torch.ones(4)]),
        Input("a vector of zeros", [torch.zeros(1, 3), torch.ones(3)]),
    ],
    kinds=_kinds,
)
