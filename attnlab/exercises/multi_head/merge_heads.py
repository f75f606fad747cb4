"""`merge_heads(x)`: the heads of each token side by side."""

from __future__ import annotations

import numpy as np
import torch

from attnlab.diagnosis.exercise import Exercise, Input, Probes
from attnlab.diagnosis.probes.modules.arrangements import probe_arrangement, probe_uneven


def marked_heads(B: int, heads: int, T: int, s: int) -> torch.Tensor:
    """Numbers that say where they come from: 2.3 is component 3 of token 2; the second sequence counts from 10."""
    sequence, head, token, component = np.ogrid[:B, :heads, :T, :s]
    return torch.from_numpy(10.0 * sequence + token + (s * head + component) / 10)


EXERCISE = Exercise(
    title="the heads of each token side by side",
    inputs=[
        Input("the marked heads of the card", [marked_heads(2, 2, 3, 2)]),
        Input("three heads of two components", [marked_heads(1, 3, 2, 2)]),
        Input("a single token", [marked_heads(2, 2, 1, 2)]),
    ],
    probes=Probes(early=probe_arrangement, late=probe_uneven),
)
