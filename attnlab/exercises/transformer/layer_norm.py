"""`layer_norm(x, gain, bias, epsilon=1e-5)`."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from attnlab.diagnosis.drawn import edge_batches
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.transformer import X, drawn, some

GAIN, BIAS = torch.tensor([1.0, 2, 0.5, -1]), torch.tensor([0.0, 0, 1, 2])

ONES, ZEROS = torch.ones(4), torch.zeros(4)

SIZES = ((2, 5, 7), (2, 5, 7), (4, 4, 4), (1, 1, 6), (3, 2, 2), (2, 3, 1), (1, 60, 96))


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    def norm(x: torch.Tensor) -> list[torch.Tensor]:
        return [x, some(random, x.shape[-1]), some(random, x.shape[-1])]

    outlier = some(random, 2, 3, 96)
    outlier[0, 1, random.randint(96)], outlier[1, 2, random.randint(96)] = 80, -900
    return {
        "tokens": [norm(some(random, *size)) for size in SIZES],
        "tokens a thousand times as long": [norm(1024 * some(random, *size) + 3) for size in SIZES if size[-1] > 1],
        "tokens so short that epsilon counts": [norm(some(random, 2, 5, 7) / 1024)],
        "another epsilon": [[*norm(some(random, 2, 5, 7)), 0.5], [*norm(some(random, 2, 3, 4)), 0.125]],
        "tokens whose components are all equal": [norm(torch.full((2, 5, 7), value)) for value in (3.0, -0.5)],
        "tokens far from 0": [norm(256 + some(random, 2, 5, k, size=4)) for k in (8, 4)],  # means of four and eight are exact
        "a token of which one component is far from the others": [norm(outlier)],
        **{f"tokens, {what}": [norm(torch.from_numpy(x).float())] for what, [x] in edge_batches(random, 4).items()},
    }


EXERCISE = Exercise(
    title="every token with mean 0 and variance 1, then gain and bias",
    shows=("vectors",),
    inputs=[
        Input("the sequence of the card", [X, GAIN, BIAS]),
        Input("gain 1 and bias 0", [drawn(5, 2, 3, 4), ONES, ZEROS]),
        Input("as many tokens as components", [drawn(6, 4, 4, 4), GAIN, BIAS]),
        Input("another epsilon", [X, GAIN, BIAS, 5.0]),
        Input("a token whose components are all equal", [torch.tensor([[[2.0, 2, 2, 2], [1, 2, 3, 4]]]), GAIN, BIAS]),
        Input("tokens of six components", [drawn(45, 2, 2, 6), drawn(46, 6), drawn(47, 6)]),
        Input("tokens a thousand times as long", [1000 * X, GAIN, BIAS]),
        Input("tokens far from 0", [256 + drawn(7, 2, 3, 4).mul(8).round() / 8, GAIN, BIAS]),
    ],
    kinds=_kinds,
)
