"""the class `Block(k, attention, feed_forward)` branch by branch."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from attnlab.diagnosis.drawn import edge_batches
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.probes import models
from attnlab.exercises.transformer import X, drawn, some


def shapes_of(k: int) -> dict[str, tuple[int, ...]]:
    """The parameters of a block whose modules are, or begin with, linear layers."""
    norms = {f"{norm}.{part}": (k,) for norm in ("norm_1", "norm_2") for part in ("weight", "bias")}
    return {**norms, **{f"{name}.{part}": (k, k)[:axes] for name in ("attention", "feed_forward") for part, axes in (("weight", 2), ("bias", 1))}}


def block(k: int, silent: str = "") -> dict[str, torch.Tensor]:
    """Such parameters; the module that is silent returns zeros."""
    return {name: drawn(seed, *shape) * (name.partition(".")[0] != silent) for seed, (name, shape) in enumerate(shapes_of(k).items(), start=11)}


SIZES = ((2, 5, 6), (2, 5, 6), (4, 4, 4), (1, 1, 3), (3, 2, 8))


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    def made(silent: str, x: torch.Tensor) -> list[Any]:
        k = x.shape[-1]
        return [[k, "mixes"], {name: some(random, *shape) * (name.partition(".")[0] != silent) for name, shape in shapes_of(k).items()}, x]

    def inputs(silent: str, length: int = 3) -> list[list[Any]]:
        return [made(silent, length * some(random, *size)) for size in SIZES]

    return {
        "a feed-forward part that returns zeros": inputs("feed_forward"),
        "an attention that returns zeros": inputs("attention"),
        "both parts": [*inputs(""), *inputs("", length=100)],
        **{f"both parts, tokens {what}": [made("", torch.from_numpy(x).float())] for what, [x] in edge_batches(random, 4).items()},
    }


EXERCISE = Exercise(
    title="two parts beside a stream",
    shows=("vectors",),
    inputs=[
        Input("the sequence of the card", [[4], block(4), X]),
        Input("the feed-forward part returns zeros", [[4], block(4, "feed_forward"), X]),
        Input("the attention returns zeros", [[4], block(4, "attention"), X]),
        Input("tokens of six components", [[6], block(6), drawn(48, 2, 2, 6)]),
    ],
    kinds=_kinds,
    call=models.BLOCK,
    stages={
        "branch of the attention": ["the feed-forward part returns zeros", "a feed-forward part that returns zeros"],
        "branch of the feed-forward part": [
            "the attention returns zeros",
            "the sequence of the card",
            "tokens of six components",
            "an attention that returns zeros",
            "both parts",
        ],
    },
)
