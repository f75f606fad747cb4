"""the class `Transformer(vocabulary, longest, k, blocks)` part by part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from attnlab.diagnosis.cause import Diagnosis
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.probes import models
from attnlab.diagnosis.probes.errors_wanted import raises_value_error
from attnlab.exercises.transformer import model

NAMES = torch.tensor([[1, 3, 0], [4, 4, 2]])


def _refuses_too_many(answer: Callable[..., Any]) -> Diagnosis | None:
    import torch

    def call() -> Any:
        return answer(5, 4, 3, [])(torch.zeros(2, 5, dtype=torch.int64))

    return raises_value_error(
        call,
        "a sequence of 5 tokens in a model with places for 4",
        "at the start of `forward`, compare `tokens.shape[1]` with `longest`, and raise ValueError",
    )


EXERCISE = Exercise(
    title="logits for every place",
    inputs=[
        Input("the two sequences of the card", [[5, 3, 4, 2], model(5, 3, 4, 2), NAMES]),
        Input("no blocks, and positions of zero", [[5, 3, 4, 0], model(5, 3, 4, 0, places=False), NAMES]),
        Input("no blocks", [[5, 3, 4, 0], model(5, 3, 4, 0), NAMES]),
        Input("no blocks, sequences that are shorter", [[5, 6, 4, 0], model(5, 6, 4, 0), torch.tensor([[1, 3], [4, 4], [0, 2]])]),
        Input("three blocks", [[6, 4, 3, 3], model(6, 4, 3, 3), torch.tensor([[5, 0, 1, 1]])]),
    ],
    call=models.transformer,
    edges={"too many tokens": lambda evidence: _refuses_too_many(evidence.answer)},
    stages={
        "without blocks": ["no blocks, and positions of zero"],
        "positions": ["no blocks", "no blocks, sequences that are shorter"],
        "blocks in order": ["the two sequences of the card", "three blocks"],
        "too long": ["too many tokens"],
    },
)
