"""`causal_mask(T)`: truth values, True where query i may look at key j."""

from __future__ import annotations

from typing import Any

from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.exercise import Exercise, Input


def _truth_values(mask: Any, *_: Any) -> Diagnosis | None:
    if mask.dtype.kind == "b":
        return None
    return Diagnosis(
        f"your mask holds {mask.dtype}",
        "truth values (bool)",
        Cause(
            "causal_mask.numbers_not_booleans",
            "the mask holds ones and zeros, or numbers to add to the scores",
            "make it with a comparison such as `<=`, which gives truth values",
        ),
    )


EXERCISE = Exercise(
    title="which query may look at which key",
    inputs=[Input("T = 4", [4]), Input("T = 1", [1]), Input("T = 7", [7])],
    properties={"truth values": _truth_values},
)
