"""`merge_heads(x)`: the heads of each token side by side."""

from __future__ import annotations

import numpy as np
import torch

from attnlab.diagnosis.drawn import edge_batches, numbers
from attnlab.diagnosis.exercise import Exercise, Input, Probes
from attnlab.diagnosis.probes.modules.arrangements import probe_arrangement, probe_uneven
from attnlab.exercises.multi_head import explain_moved


def marked_heads(B: int, heads: int, T: int, s: int) -> torch.Tensor:
    """Numbers that say where they come from: 2.3 is component 3 of token 2; the second sequence counts from 10."""
    sequence, head, token, component = np.ogrid[:B, :heads, :T, :s]
    return torch.from_numpy(10.0 * sequence + token + (s * head + component) / 10)


def _kinds(random: np.random.RandomState) -> dict[str, list[list[torch.Tensor]]]:
    def drawn(*shape: int) -> torch.Tensor:
        return torch.from_numpy(numbers(random, *shape))

    return {
        "three heads": [[drawn(2, 3, 5, 4)]],
        "five heads": [[drawn(2, 5, 3, 4)]],
        "the same shape again": [[drawn(2, 3, 5, 4)]],
        "two heads": [[drawn(3, 2, 2, 2)]],
        "all sizes equal": [[drawn(4, 4, 4, 4)]],
        "one head": [[drawn(2, 1, 5, 4)], [drawn(1, 1, 5, 4)], [drawn(2, 1, 1, 4)]],
        "heads of one component": [[drawn(2, 6, 5, 1)]],
        "one token of one sequence": [[drawn(1, 3, 1, 4)]],
        "a single number": [[drawn(1, 1, 1, 1)]],
        "a long sequence": [[drawn(2, 8, 150, 12)]],
        "a tensor whose axes were exchanged before": [[drawn(2, 5, 3, 4).transpose(1, 2)], [drawn(4, 5, 2, 3).permute(2, 3, 1, 0)]],
        **{f"tokens, {what}": [[torch.from_numpy(np.stack([heads, heads[:, ::-1], heads]))]] for what, [heads] in edge_batches(random, 4).items()},
    }


EXERCISE = Exercise(
    title="the heads of each token side by side",
    shows=("vectors",),
    inputs=[
        Input("the marked heads of the card", [marked_heads(2, 2, 3, 2)]),
        Input("three heads of two components", [marked_heads(1, 3, 2, 2)]),
        Input("a single token", [marked_heads(2, 2, 1, 2)]),
    ],
    kinds=_kinds,
    edges={"numbers of every type": lambda evidence: explain_moved(evidence, "heads")},
    probes=Probes(early=probe_arrangement, late=probe_uneven),
)
