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


def shapes_of(vocabulary: int, longest: int, k: int, layers: int) -> dict[str, tuple[int, ...]]:
    """The parameters of a transformer whose blocks are linear layers."""
    shapes: dict[str, tuple[int, ...]] = {
        "tokens.weight": (vocabulary, k),
        "positions.weight": (longest, k),
        "norm.weight": (k,),
        "norm.bias": (k,),
        "readout.weight": (vocabulary, k),
        "readout.bias": (vocabulary,),
    }
    for layer in range(layers):
        shapes |= {f"blocks.{layer}.weight": (k, k), f"blocks.{layer}.bias": (k,)}
    return shapes


def model(vocabulary: int, longest: int, k: int, layers: int, positions: bool = True) -> dict[str, torch.Tensor]:
    """Such parameters."""
    shapes = shapes_of(vocabulary, longest, k, layers)
    return {name: drawn(seed, *shape) * (positions or name != "positions.weight") for seed, (name, shape) in enumerate(shapes.items(), start=21)}


X = torch.tensor([[[1.0, 2, 3, 6], [-1, 0, 4, 1], [2, 2, 0, -4]]])
