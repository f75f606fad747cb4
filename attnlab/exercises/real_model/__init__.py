"""The exercises of lesson 8, a file each, and small models to try them on."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from attnlab.diagnosis.drawn import numbers

Sizes = tuple[int, int, int, int, int]  # k, heads of queries, heads of keys and values, components of a head, hidden components
Layer = dict[str, torch.Tensor]


def drawn(random: np.random.RandomState, *shape: int, size: float = 1.0) -> torch.Tensor:
    """Random float32 numbers in steps of 1/64."""
    return torch.from_numpy(numbers(random, *shape, size=size)).float()


def matrices(random: np.random.RandomState, shapes: dict[str, tuple[int, int]]) -> Layer:
    """Matrices by name, a row for each component that comes out."""
    return {name: drawn(random, *shape, size=0.5) for name, shape in shapes.items()}


def attention_of(random: np.random.RandomState, k: int, heads: int, groups: int, s: int) -> Layer:
    """The four matrices of an attention."""
    return matrices(random, {"toqueries": (heads * s, k), "tokeys": (groups * s, k), "tovalues": (groups * s, k), "unifyheads": (k, heads * s)})


def feed_forward_of(random: np.random.RandomState, k: int, hidden: int) -> Layer:
    """The three matrices of a gated feed-forward part."""
    return matrices(random, {"gate": (hidden, k), "up": (hidden, k), "down": (k, hidden)})


def earlier(random: np.random.RandomState, groups: int, n: int, s: int) -> list[torch.Tensor]:
    """Keys and values of n earlier tokens, as arguments; none where there are no such tokens."""
    return [drawn(random, groups, n, s) for _ in range(2)] if n else []


def layer_of(random: np.random.RandomState, sizes: Sizes) -> Layer:
    """All parameters of a layer, in the order of the model's."""
    k, heads, groups, s, hidden = sizes
    attention, norms = attention_of(random, k, heads, groups, s), [1 + drawn(random, k, size=0.3) for _ in range(2)]
    return {"norm_1": norms[0], **attention, "norm_2": norms[1], **feed_forward_of(random, k, hidden)}


def model_of(random: np.random.RandomState, V: int, layers: int, sizes: Sizes) -> dict[str, Any]:
    """A small model with random parameters, as `real_model.load` gives the large one."""
    return {
        "embedding": drawn(random, V, sizes[0]),
        "layers": [layer_of(random, sizes) for _ in range(layers)],
        "norm": 1 + drawn(random, sizes[0], size=0.3),
        "s": sizes[3],
    }


def fixed(seed: int) -> np.random.RandomState:
    """A generator for the inputs that a check shows."""
    return np.random.RandomState(seed)
