"""`learn_to_rearrange(batches, vocabulary, length)` by what its model can do."""

from __future__ import annotations

import copy

import torch

from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.probes import models

BATCHES, DIGITS, LENGTH = 3, 5, 4  # too few to learn from, and enough to change a model


def _is_new_each_time(evidence: Evidence) -> Diagnosis | None:
    _, sequences = models.rearranged(3, DIGITS, LENGTH)
    empty = torch.empty(0)

    def trained() -> torch.nn.Module:
        return evidence.answer(iter([sequences(64) for _ in range(BATCHES)]), DIGITS, LENGTH)

    try:
        first = trained()
        learned = copy.deepcopy(first.state_dict())
        again = trained().state_dict()
        now = first.state_dict()
    except Exception:  # the card promises 150 batches, and an answer may count on them
        return None
    if learned and all(torch.equal(learned[name], again.get(name, empty)) for name in learned):
        return Diagnosis(
            "a second call, with batches of its own, returns the parameters that the first call learned",
            "a new model in each call, trained on its own batches",
            Cause(
                "learn_to_rearrange.earlier_model",
                "the model is kept between calls, or what it learns does not depend on the batches",
                "make a new model inside the function, and train it on `batches`, in each call",
            ),
        )
    if all(torch.equal(learned[name], now[name]) for name in learned):
        return None
    return Diagnosis(
        "a second call, with batches of its own, changes the model that the first call returned",
        "a new model in each call",
        Cause(
            "learn_to_rearrange.same_model_again",
            "both calls train the same model, or two that share parameters: one is kept between calls, or made outside of the function",
            "make the blocks and the model inside the function, in each call",
        ),
    )


EXERCISE = Exercise(
    title="a model that passes",
    inputs=[
        Input("150 batches of 8 digits, sequences of 9", [8, 8, 9])
    ],  # sizes that the lesson does not use: one training shows whether they are typed in
    call=models.rearranges,
    edges={"a new model each time": _is_new_each_time},
    seconds=10.0,  # twice what the card allows for the training: the check tries the model, too
)
