"""The exercises of lesson 4, a file each; here stands what several of them need."""

from __future__ import annotations

import numpy as np
import torch

from attnlab.diagnosis.exercise import Probes
from attnlab.diagnosis.probes.modules.averages import probe_values
from attnlab.diagnosis.probes.modules.construction import probe_construction, probe_module
from attnlab.diagnosis.probes.modules.scale import probe_scale

ROLES = ("toqueries", "tokeys", "tovalues")


def marked(B: int, T: int, E: int) -> torch.Tensor:
    """Numbers that say where they come from: 2.3 is component 3 of token 2; the second sequence counts from 10."""
    return torch.from_numpy(10.0 * np.arange(B)[:, None, None] + np.arange(T)[:, None] + np.arange(E) / 10)


def drawn(seed: int, *shape: int) -> torch.Tensor:
    """Random numbers with one decimal."""
    return torch.from_numpy(np.random.RandomState(seed).normal(size=shape).round(1).astype(np.float32))


def state(k: int, width: int, names: tuple[str, ...] = (*ROLES, "unifyheads")) -> dict[str, torch.Tensor]:
    """Weights of a module whose heads have `width` components together."""
    *roles, last = names
    weights = {f"{name}.weight": drawn(seed, width, k) for seed, name in enumerate(roles, start=1)}
    return {**weights, f"{last}.weight": drawn(4, k, width), f"{last}.bias": drawn(5, k)}


X = drawn(6, 2, 4, 6)

FOUR, SIX, REPAIRED = state(4, 4), state(6, 6), state(6, 6, ("queries", "keys", "values", "output"))

OF_MODULES = Probes(probe_construction, lambda evidence, case: probe_module(evidence, case) or probe_scale(evidence, case), probe_values)
