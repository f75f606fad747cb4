"""`learn_to_rearrange(batches, vocabulary, length)` by what its model can do."""

from __future__ import annotations

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.probes import models

EXERCISE = Exercise(
    title="a model that passes",
    inputs=[
        Input("150 batches", [6]),
        Input("150 batches of another order and translation", [7]),
        Input("8 digits, sequences of 9", [8, 8, 9]),
    ],
    call=models.rearranges,
    seconds=10.0,  # twice what the card allows for the training: the check tries the model, too
)
