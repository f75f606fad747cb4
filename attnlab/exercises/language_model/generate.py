"""`generate(model, start, steps, longest, choose)`."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.probes import models

SIZES = ((3, 9, 5), (3, 9, 5), (1, 12, 30), (6, 4, 3), (2, 0, 4), (1, 6, 1), (4, 1, 4), (5, 3, 8))  # tokens to begin with, steps, longest


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    return {
        f"{what} token chosen": [[torch.from_numpy(random.randint(7, size=n)), steps, longest, rank] for n, steps, longest in SIZES]
        for rank, what in enumerate(("the most likely", "the second"))
    }


EXERCISE = Exercise(
    title="a sequence, continued",
    inputs=[
        Input("the three tokens of the card", [torch.tensor([3, 1, 4]), 4, 4]),
        Input("a model that reads one token", [torch.tensor([2, 6]), 3, 1]),
        Input("a model that reads more than there is", [torch.tensor([5]), 6, 30]),
        Input("a longer start", [torch.tensor([1, 5, 2, 2, 6, 0]), 5, 9]),
        Input("no step", [torch.tensor([5, 0, 2]), 0, 4]),
    ],
    kinds=_kinds,
    call=models.continued,
)
