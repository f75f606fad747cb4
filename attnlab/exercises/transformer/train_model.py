"""`train_model(model, batches, rate)` by what becomes of a small model, and by the losses."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from attnlab import reference
from attnlab.diagnosis import grading
from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.exercise import Exercise, Input, Probes
from attnlab.diagnosis.probes import models
from attnlab.diagnosis.probes.steps import explain_batches_of, explain_steps_of
from attnlab.exercises.transformer import drawn, some

TABLE = {"0.weight": drawn(31, 5, 3).double(), "1.weight": drawn(32, 5, 3).double(), "1.bias": drawn(33, 5).double()}


def batches(count: int, seed: int = 34, asked: float = 0.8) -> list[list[torch.Tensor]]:
    """Tokens of which each asks for the next number, and some for nothing."""
    draw, made = np.random.RandomState(seed), []
    for _ in range(count):
        tokens = draw.randint(5, size=(2, 4))
        made.append([torch.from_numpy(tokens), torch.from_numpy(np.where(draw.uniform(size=(2, 4)) < asked, (tokens + 1) % 5, -100))])
    return made


def _knowing(turned: float) -> dict[str, torch.Tensor]:
    """A model that is right about every next number: the tokens lie on a circle, and each points to the one after it."""
    circle = torch.arange(5).double() * 2 * np.pi / 5 + turned
    here, after = (torch.stack([angle.cos(), angle.sin(), 0 * angle], dim=1) for angle in (circle, circle - 2 * np.pi / 5))
    return {"0.weight": here, "1.weight": 14 * after, "1.bias": 0 * circle}


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    def inputs(wanted: str, *settings: tuple[int, float, float, float]) -> list[list[Any]]:
        return [
            [
                wanted,
                {name: some(random, *value.shape, size=size).double() for name, value in TABLE.items()},
                batches(count, random.randint(9999), asked),
                rate,
            ]
            for count, asked, rate, size in settings
        ]

    return {
        "one step": inputs("steps", (1, 1, 0.05, 0.5), (1, 1, 0.0, 0.5), (1, 1, 0.5, 0.5)),
        "many steps": inputs("steps", (5, 1, 0.02, 1), (30, 0.7, 0.01, 1), (12, 0.7, 0.01, 1), (0, 1, 0.01, 1), (6, 0.7, 0.01, 6)),
        "losses": inputs("losses", (7, 0.7, 0.02, 1), (1, 0.7, 0.02, 1), (0, 1, 0.02, 1), (6, 0.7, 0.01, 6)),
        "losses, a model that is right already": [["losses", _knowing(random.uniform(6)), batches(6, random.randint(9999), 1), 0.01]],
    }


def _collects(answer: Callable[..., Any]) -> Diagnosis | None:
    """Whether batches are asked for before the ones before them were used; looked at where the answer itself is here."""
    import torch

    if not grading.is_here(answer):
        return None
    _, weights, batches, rate = reference.cases("train_model")[0].arguments
    model, seen = models.bigrams(weights), []

    def noted() -> Iterator[Any]:
        for batch in batches:
            seen.append(model[1].bias.detach().clone())
            yield batch

    answer(model, noted(), rate)
    if not any(torch.equal(one, other) for one, other in itertools.pairwise(seen)):
        return None
    return Diagnosis(
        "your code asks for the second batch before the first has changed the model",
        "a step on each batch before the next one is asked for",
        Cause(
            "train_model.batches_collected_first",
            "the batches are collected first, as with `list(...)` or `tuple(...)`",
            "loop over `batches` itself",
        ),
    )


EXERCISE = Exercise(
    title="one step of Adam for each batch",
    inputs=[
        Input("the losses of six batches", ["losses", TABLE, batches(6), 0.1]),
        Input("the model after one batch", ["model", TABLE, batches(1, asked=1), 0.1]),
        Input("the model after two batches", ["model", TABLE, batches(2), 0.1]),
        Input("the model after six batches", ["model", TABLE, batches(6), 0.02]),
    ],
    kinds=_kinds,
    call=models.trained,
    edges={"one batch at a time": lambda evidence: _collects(evidence.answer)},
    probes=Probes(first=explain_batches_of, late=explain_steps_of),
    stages={
        "one step": ["the model after one batch", "one step"],
        "many steps": ["the model after two batches", "the model after six batches", "one batch at a time", "many steps"],
        "losses": ["the losses of six batches", "losses"],
    },
)
