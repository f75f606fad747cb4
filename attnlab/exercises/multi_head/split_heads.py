"""`split_heads(x, heads)`: a piece of every token for every head."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from attnlab.diagnosis.drawn import edge_batches, numbers
from attnlab.diagnosis.exercise import Exercise, Input, Probes
from attnlab.diagnosis.probes.modules.arrangements import probe_arrangement, probe_uneven
from attnlab.exercises.multi_head import explain_moved, marked


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    def drawn(*shape: int) -> torch.Tensor:
        return torch.from_numpy(numbers(random, *shape))

    return {
        "three heads": [[drawn(2, 5, 12), 3]],
        "the same shape with other heads": [[drawn(2, 5, 12), 4]],
        "the same shape again": [[drawn(2, 5, 12), 3]],
        "as many tokens as components": [[drawn(3, 4, 4), 2]],
        "as many heads as sequences and tokens": [[drawn(4, 4, 16), 4]],
        "one head": [[drawn(2, 5, 7), 1]],
        "heads of one component": [[drawn(2, 5, 6), 6]],
        "one sequence": [[drawn(1, 5, 6), 2]],
        "one token": [[drawn(2, 1, 6), 3]],
        "a single number": [[drawn(1, 1, 1), 1]],
        "a long sequence": [[drawn(2, 150, 96), 8]],
        "a tensor whose axes were exchanged before": [
            [drawn(12, 5, 2).permute(1, 2, 0)[:2], 2],
            [drawn(5, 2, 12).transpose(0, 1), 3],
            [drawn(2, 12, 5).transpose(1, 2), 3],
        ],
        **{f"tokens, {what}": [[torch.from_numpy(x), 3]] for what, [x] in edge_batches(random, 6).items()},
    }


EXERCISE = Exercise(
    title="a piece of every token for every head",
    shows=("vectors",),
    inputs=[
        Input("the marked tokens of the card", [marked(2, 3, 4), 2]),
        Input("three heads of two components", [marked(1, 2, 6), 3]),
        Input("a single token", [marked(2, 1, 4), 2]),
    ],
    kinds=_kinds,
    gives_views=True,
    edges={"numbers of every type": lambda evidence: explain_moved(evidence, "tokens")},
    probes=Probes(early=probe_arrangement, late=probe_uneven),
)
