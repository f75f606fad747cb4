"""`tied_logits(model, x)`: the stream read out with the embedding."""

from __future__ import annotations

from typing import Any

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.real_model import drawn, fixed, model_of

SMALL = (2, 1, 2, 3)  # heads, heads of keys, components of a head, hidden components
SIZES = (((3, 4), 9), ((1, 5), 5), ((4, 4), 4), ((6,), 7), ((2, 3, 4), 6), ((31, 8), 30))  # the stream, V


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    return {
        kind: [[model_of(random, V, 1, (shape[-1], *SMALL)), drawn(random, *shape, size=size)] for shape, V in SIZES]
        for kind, size in (("streams", 1.0), ("long streams", 100.0))
    }


EXERCISE = Exercise(
    title="logits, by the embedding",
    inputs=[
        Input("the two positions of the card", [model_of(fixed(1), 5, 1, (4, *SMALL)), drawn(fixed(2), 2, 4)]),
        Input("one vector", [model_of(fixed(3), 6, 1, (4, *SMALL)), drawn(fixed(4), 4)]),
        Input("several layers", [model_of(fixed(5), 4, 1, (4, *SMALL)), drawn(fixed(6), 3, 2, 4)]),
        Input("as many tokens as components", [model_of(fixed(7), 4, 1, (4, *SMALL)), drawn(fixed(8), 4, 4)]),
    ],
    kinds=_kinds,
)
