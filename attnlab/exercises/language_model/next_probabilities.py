"""`next_probabilities(logits, temperature=1.0, top_k=None)` part by part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from attnlab.diagnosis.cause import Cause, Diagnosis, unknown
from attnlab.diagnosis.drawn import edge_cases
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.transformer import some

BY_INDICES = "keep tokens by their indices: `torch.topk(logits, top_k).indices`"
EQUAL = (([2.0, 2, 2, 2], 2), ([1.0, 5, 1, 1], 3), ([0.0, 0, 0], 1), ([0.0, 3, 3, 1, 3], 2))  # logits, top_k


def _keeps_too_many(answer: Callable[..., Any]) -> Diagnosis | None:
    for logits, top_k in EQUAL:
        try:
            result = answer(torch.tensor(logits), 1.0, top_k)
            kept, above_zero = (int((result > share).sum()) for share in (1e-6, 0))
        except Exception as error:  # whatever a learner's code raises is what has to be explained
            return explain_error(error, answer)
        if kept != top_k:
            return Diagnosis(
                f"for the logits {logits}, some of them equal, and top_k={top_k}, {kept} tokens have a probability",
                f"{top_k} tokens",
                Cause(
                    "next_probabilities.equal_logits",
                    "which tokens are kept is decided by comparing logits with the smallest that is kept, and equal ones come out alike",
                    BY_INDICES,
                )
                if kept > top_k
                else _why_lost(answer, logits, top_k),
            )
        if above_zero > top_k:
            return Diagnosis(
                f"for the logits {logits} and top_k={top_k}, a token that is not kept has a probability of {min(result[result > 0].tolist()):.1g}",
                "exactly 0",
                Cause(
                    "next_probabilities.not_exactly_zero",
                    "the dropped logits become a large negative number, and not −∞: where all are low, that is not enough",
                    "put `-math.inf` in their place",
                ),
            )
    return None


def _why_lost(answer: Callable[..., Any], logits: list[float], top_k: int) -> Cause:
    """Why too few tokens are kept: what comes out right when 1 is added to every logit took a logit of 0 for one that was dropped."""
    if int((answer(torch.tensor(logits) + 1, 1.0, top_k) > 1e-6).sum()) == top_k:
        return Cause(
            "next_probabilities.zero_taken_for_dropped",
            "a logit that is kept and happens to be 0 is taken for one that was dropped",
            "put −∞, not 0, in the place of what is dropped",
        )
    if int((answer(torch.arange(5.0) - 7, 1.0, 2) > 1e-6).sum()) == 2:
        return Cause("next_probabilities.equal_logits_lost", "with equal logits, some of the tokens that should be kept are dropped", BY_INDICES)
    return unknown("next_probabilities.too_few_kept", BY_INDICES)


LENGTHS = (5, 5, 27, 2, 1)


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    def logits(V: int, size: float = 3.0) -> torch.Tensor:
        return torch.from_numpy(random.permutation(V) / 8).float() + some(random, 1, size=size)  # no two are equal

    def tables(size: float = 3.0) -> list[torch.Tensor]:
        return [some(random, V, size=size).clamp(-1e4, 1e4) for V in LENGTHS]

    edge = {what: torch.from_numpy(rows[0]).float() for what, [rows] in edge_cases(random, 4).items()}
    ascending = edge["ascending and below zero"] + torch.arange(4.0) / 4
    kinds: dict[str, list[list[Any]]] = {
        "temperature, left to the default": [[one] for one in tables()],
        **{f"temperature, τ = {temperature:g}": [[one, temperature] for one in tables()] for temperature in (0.5, 2.0, 0.125, 7, 1, 100.0, 0.01)},
        "temperature, τ = 0.01 and equal logits": [[torch.zeros(40), 0.01]],
        "temperature, τ = 1 and large logits": [[one, 1.0] for one in tables(4000)],
        "temperature, τ = 0.01 and large logits": [[one, 0.01] for one in tables(4000)],
        **{f"greedy, top_k={top_k}": [[logits(V), 0, top_k] for V in LENGTHS] for top_k in (None, 1)},
        "greedy, temperature=0.0": [[one, 0.0] for one in (*tables(), *tables(4000))],
        "greedy, equal logits": [[torch.tensor(one), 0.0] for one in ([1.0, 3, 2, 3], [-2.0, -2, -2])],
    }
    for temperature, far in ((1.0, 0), (2.0, 0), (0.5, -100), (1.0, -9990), (100.0, 0), (100.0, -5000), (1.0, 5000)):
        kinds[f"top-k, τ = {temperature:g}{f' and logits around {far}' if far else ''}"] = [
            [logits(V) + far, temperature, top_k] for V in (5, 27, 2) for top_k in sorted({1, 2, V - 1, V})
        ]
    kinds |= {f"temperature, τ = 1 and logits {what}": [[one, 1.0]] for what, one in edge.items()}
    kinds["temperature, τ = 1 and logits that are weights already"] = [[torch.tensor([0.25, 0.5, 0.25]), 1.0]]
    kinds["top-k, a logit of 0 is kept"] = [[torch.from_numpy(random.permutation(5) - 3.0).float(), 1.0, 3]]
    kinds["top-k, logits in ascending or descending order"] = [[one, 1.0, 2] for one in (ascending, ascending.flip(0))]
    kinds["top-k, logits close to each other"] = [[logits(4) / 128, 1.0, top_k] for top_k in (1, 2)]
    return kinds


EXERCISE = Exercise(
    title="the distribution of the next token",
    tolerance=2e-3,  # a softmax by logarithms rounds logits near 10 000 to a thousandth in float32
    inputs=[
        Input("the logits of the card", [torch.tensor([2.0, 1, 0, -1]), 0.5, 2]),
        Input("as the model was trained", [torch.tensor([0.0, 1, 2, -1, 0.5])]),
        Input("temperature 2", [torch.tensor([0.0, 1, 2, -1, 0.5]), 2.0]),
        Input("large logits", [torch.tensor([1e4, 9999, -1e4]), 1.0]),
        Input("temperature 0", [torch.tensor([0.0, 1, 2, -1, 0.5]), 0]),
        Input("temperature 0, two largest", [torch.tensor([0.0, 3, 3, -1]), 0.0]),
        Input("the three most likely of six", [torch.tensor([-5.0, -2, -7, -3, -9, -2.5]), 1.0, 3]),
        Input("one token kept", [torch.tensor([0.5, 0.2, 0.9]), 2.0, 1]),
        Input("equal logits, one token kept", [torch.tensor([1.0, 1.0, 4.0, -1.0]), 1.0, 1]),
    ],
    kinds=_kinds,
    edges={"equal logits": lambda evidence: _keeps_too_many(evidence.answer)},
    stages={
        "temperature": ["as the model was trained", "temperature 2", "large logits", "temperature"],
        "greedy": ["temperature 0", "temperature 0, two largest", "greedy"],
        "top-k": [
            "the logits of the card",
            "the three most likely of six",
            "one token kept",
            "equal logits, one token kept",
            "equal logits",
            "top-k",
        ],
    },
)
