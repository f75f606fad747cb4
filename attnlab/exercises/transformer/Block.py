"""the class `Block(k, attention, feed_forward)` branch by branch."""

from __future__ import annotations

import torch

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.probes import models
from attnlab.exercises.transformer import X, drawn


def block(k: int, silent: str = "") -> dict[str, torch.Tensor]:
    """Parameters of a block whose modules are linear layers; the one that is silent returns zeros."""
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


EXERCISE = Exercise(
    title="two parts beside a stream",
    inputs=[
        Input("the sequence of the card", [4, block(4), X]),
        Input("the feed-forward part returns zeros", [4, block(4, "feed_forward"), X]),
        Input("the attention returns zeros", [4, block(4, "attention"), X]),
        Input("tokens of six components", [6, block(6), drawn(48, 2, 2, 6)]),
    ],
    call=models.block,
    stages={
        "branch of the attention": ["the feed-forward part returns zeros"],
        "branch of the feed-forward part": ["the attention returns zeros", "the sequence of the card", "tokens of six components"],
    },
)
