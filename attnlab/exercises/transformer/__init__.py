"""The exercises of lesson 6, a file each; here stands what several of them need."""

from __future__ import annotations

import numpy as np
import torch

from attnlab.diagnosis.drawn import numbers


def drawn(seed: int, *shape: int) -> torch.Tensor:
    """Random numbers with one decimal."""
    return torch.from_numpy(np.random.RandomState(seed).normal(size=shape).round(1).astype(np.float32))


def some(random: np.random.RandomState, *shape: int, size: float = 1.0) -> torch.Tensor:
    """Random numbers in float32."""
    return torch.from_numpy(numbers(random, *shape, size=size)).float()


def model(vocabulary: int, longest: int, k: int, layers: int, positions: bool = True) -> dict[str, torch.Tensor]:
    """Parameters of a transformer whose blocks are linear layers."""
    state = {
        "tokens.weight": drawn(21, vocabulary, k),
        "positions.weight": drawn(22, longest, k) * positions,
        "norm.weight": drawn(23, k),
        "norm.bias": drawn(24, k),
        "readout.weight": drawn(25, vocabulary, k),
        "readout.bias": drawn(26, vocabulary),
    }
    for layer in range(layers):
        state |= {f"blocks.{layer}.weight": drawn(27 + 2 * layer, k, k), f"blocks.{layer}.bias": drawn(28 + 2 * layer, k)}
    return state


X = torch.tensor([[[1.0, 2, 3, 6], [-1, 0, 4, 1], [2, 2, 0, -4]]])
