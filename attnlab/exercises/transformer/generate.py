"""`generate(model, start, steps, longest, choose)`."""

from __future__ import annotations

import torch

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.probes import models

EXERCISE = Exercise(
    title="a sequence, continued",
    inputs=[
        Input("the three tokens of the card", [torch.tensor([3, 1, 4]), 4, 4]),
        Input("a model that reads one token", [torch.tensor([2, 6]), 3, 1]),
        Input("a model that reads more than there is", [torch.tensor([5]), 6, 30]),
        Input("a longer start", [torch.tensor([1, 5, 2, 2, 6, 0]), 5, 9]),
        Input("no step", [torch.tensor([5, 0, 2]), 0, 4]),
    ],
    call=models.continued,
)
