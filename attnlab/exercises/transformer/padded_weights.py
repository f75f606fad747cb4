"""`padded_weights(scores, lengths)`: rows that sum to 1, and none of it on padding."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from attnlab.diagnosis.cause import Diagnosis, unknown
from attnlab.diagnosis.drawn import edge_squares
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.transformer import drawn, some

SCORES = torch.tensor([[[[0.0, 1, 2], [3, 0, -1], [1, 1, 1]]], [[[2.0, 0, 4], [0, 1, 5], [-1, 1, 0]]]])


def _rows_sum_to_one(weights: np.ndarray, _: Evidence) -> Diagnosis | None:
    sums = weights.sum(axis=-1)
    if np.allclose(sums, 1, atol=1e-5):
        return None
    return Diagnosis(
        f"rows sum to {sums.min():.3f} to {sums.max():.3f}",
        "every row sums to 1",
        unknown("padded_weights.rows_not_normalised", "take a softmax over scores of which some are −∞: the others then share the whole row"),
    )


def _nothing_on_padding(weights: np.ndarray, _: Evidence) -> Diagnosis | None:
    """The second sequence of the card has two tokens."""
    if not weights[1, :, :, 2].any():
        return None
    return Diagnosis(
        f"the third key of the second sequence is padding, but has a weight of up to {weights[1, :, :, 2].max():.2g}",
        "keys from position `lengths[b]` on have weight 0",
        unknown("padded_weights.weight_on_padding", "print your mask: it should be True for key j where j ≥ lengths[b], for every head and query"),
    )


BATCHES = (
    ((3, 2, 5), [5, 1, 3]),
    ((3, 2, 5), [1, 5, 4]),
    ((4, 1, 4), [2, 4, 3, 1]),
    ((2, 2, 2), [1, 2]),
    ((1, 3, 1), [1]),
    ((5, 4, 4), [4] * 5),
    ((3, 3, 3), [1, 3, 2]),
    ((2, 1, 60), [59, 7]),
)  # sequences, heads and tokens; lengths


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    def scores(B: int, heads: int, T: int, size: float) -> torch.Tensor:
        return some(random, B, heads, T, T, size=size).clamp(-1e4, 1e4)

    def inputs(size: float) -> list[list[Any]]:
        return [[scores(*shape, size), torch.tensor(lengths)] for shape, lengths in BATCHES]

    above = scores(2, 2, 5, 1)
    above[0, :, :, 3:], above[1, :, :, 2:] = 1e4, 9e3
    return {
        "scores": inputs(1),
        "large scores": inputs(4000),
        "scores far below zero": [[table - 500, lengths] for table, lengths in inputs(1)[:3]],
        "one token, whose score is as low as it may be": [[torch.full((2, 1, 4, 4), -1e4), torch.tensor([1, 1])]],
        "padding whose scores are far above the others": [[above - shift, torch.tensor([3, 2])] for shift in (0, 500)],
        **{
            f"scores, {what}": [[torch.from_numpy(np.stack([[x, x.T], [x.T, x], [x, x.T]])).float(), len(x) - torch.tensor([1, 0, 1])]]
            for what, x in edge_squares(random).items()
        },
        "scores that are weights already": [[torch.tensor([[0.25, 0.5, 0.25]]).expand(2, 1, 3, 3).clone(), torch.tensor([3, 3])]],
    }


EXERCISE = Exercise(
    title="weights for the tokens that are there",
    shows=("weights",),
    inputs=[
        Input("the two sequences of the card", [SCORES, torch.tensor([3, 2])]),
        Input("three sequences, two heads", [drawn(41, 3, 2, 4, 4), torch.tensor([1, 3, 2])]),
        Input("as many sequences as heads and tokens", [drawn(42, 2, 2, 2, 2), torch.tensor([2, 1])]),
        Input("scores of ten thousand", [1e4 * SCORES, torch.tensor([3, 2])]),
        Input("a single token", [drawn(43, 1, 1, 1, 1), torch.tensor([1])]),
    ],
    kinds=_kinds,
    properties={"rows": _rows_sum_to_one, "padding": _nothing_on_padding},
)
