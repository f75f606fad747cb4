"""`basic_self_attention(x)` in torch: every sequence of the batch by itself."""

from __future__ import annotations

import numpy as np
import torch

from attnlab.diagnosis.drawn import edge_batches, numbers
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.basic_attention import PAIRS, SHAPES, TOKENS

BATCH = torch.from_numpy(np.stack([TOKENS, [[0.0, 1, 0, -1], [2, 0, 1, 0], [0.5, 0.5, 0, 1]]]))


def _kinds(random: np.random.RandomState) -> dict[str, list[list[torch.Tensor]]]:
    def drawn(*shape: int, size: float = 1.0) -> torch.Tensor:
        return torch.from_numpy(numbers(random, *shape, size=size))

    pairs = torch.tensor(PAIRS).double().reshape(-1, 2, 2)
    return {
        "one sequence": [[drawn(1, *shape)] for shape in (*SHAPES, (200, 3))],
        "a batch": [
            [drawn(*shape)]
            for shape in ((2, 5, 7), (7, 2, 5), (3, 3, 3), (4, 4, 2), (5, 2, 2), (4, 1, 2), (2, 6, 1), (3, 1, 1), (40, 3, 2), (2, 150, 3))
        ],
        "long vectors": [
            *([(2 * drawn(*shape, size=60)).round() / 2] for shape in ((2, 5, 7), (3, 4, 4))),
            [pairs],
            [pairs.flip(0)],
            [torch.cat([pairs, drawn(len(pairs), 2, 2)], dim=1)],
        ],
        "both types": [[tokens] for shape in ((1, 5, 3), (1, 4, 4), (1, 2, 6)) for tokens in (drawn(*shape), drawn(*shape).float())],
        **{f"a batch, tokens {what}": [[torch.from_numpy(x)]] for what, [x] in edge_batches(random, 4).items()},
    }


EXERCISE = Exercise(
    title="two matrix products and one softmax",
    shows=("vectors",),
    inputs=[
        Input("the two sequences of the card", [BATCH]),
        Input("a batch of one", [BATCH[:1] * 0.5]),
        Input("sequences of one token", [BATCH[:, :1]]),
        Input("long vectors", [60 * BATCH]),
    ],
    kinds=_kinds,
)
