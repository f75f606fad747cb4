"""the class `Block(k, attention, feed_forward)` branch by branch."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.probes import models
from attnlab.exercises.transformer import X, drawn, some


def block(k: int, silent: str = "") -> dict[str, torch.Tensor]:
    """Parameters of a block whose modules are, or begin with, linear layers; the one that is silent returns zeros."""
    norms = {
        f"{norm}.{part}": drawn(seed, k)
        for seed, (norm, part) in enumerate(((norm, part) for norm in ("norm_1", "norm_2") for part in ("weight", "bias")), start=11)
    }
    modules = {
        f"{name}.{part}": drawn(seed, *(k, k)[:axes]) * (name != silent)
        for seed, (name, part, axes) in enumerate(
            ((name, part, axes) for name in ("attention", "feed_forward") for part, axes in (("weight", 2), ("bias", 1))), start=15
        )
    }
    return {**norms, **modules}


SIZES = ((2, 5, 6), (2, 5, 6), (4, 4, 4), (1, 1, 3), (3, 2, 8))


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    def inputs(silent: str, length: int = 3) -> list[list[Any]]:
        return [
            [
                [size[-1], "mixes"],
                {name: some(random, *value.shape) * (name.partition(".")[0] != silent) for name, value in block(size[-1]).items()},
                length * some(random, *size),
            ]
            for size in SIZES
        ]

    return {
        "a feed-forward part that returns zeros": inputs("feed_forward"),
        "an attention that returns zeros": inputs("attention"),
        "both parts": [*inputs(""), *inputs("", length=100)],
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
