"""`causal_mask(T)`: truth values, True where query i may look at key j."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise, Input


def _truth_values(mask: Any, *_: Any) -> Diagnosis | None:
    if mask.dtype.kind == "b":
        return None
    return Diagnosis(
        f"your mask holds {mask.dtype}",
        "truth values (bool)",
        Cause(
            "causal_mask.numbers_not_booleans",
            f"the mask holds {_numbers(mask)}",
            "make it with a comparison such as `<=`, which gives truth values",
        ),
    )


def _numbers(mask: np.ndarray) -> str:
    """What a mask holds in place of truth values."""
    if np.isin(mask, (0, 1)).all():
        return "ones and zeros"
    if mask.dtype.kind == "i" and np.isin(mask, (-1, -2)).all():
        return 'whole numbers as `~` makes them: −1 of 0, −2 of 1; it means "not" for truth values alone'
    return "numbers to add to the scores" if mask.min() < -100 else f"numbers from {mask.min():.4g} to {mask.max():.4g}"


def _for_every_length(answer: Callable[[int], np.ndarray]) -> Diagnosis | None:
    for tokens in (1, 2, 5, 12):
        try:
            found = _truth_values(as_numpy(answer(tokens)))
        except Exception as error:  # whatever a learner's code raises is what has to be explained
            return explain_error(error, answer)
        if found:
            return replace(found, observed=f"for T = {tokens}, {found.observed}")
    return None


def _kinds(random: np.random.RandomState) -> dict[str, list[list[int]]]:
    several = (3 + random.permutation(12)[:3]).tolist()
    return {
        "a few tokens": [[tokens] for tokens in (several[0], 1, 2, *several[1:], 17, several[0])],
        "many tokens": [[130 + random.randint(20)], [350], [1150]],
    }


EXERCISE = Exercise(
    title="which query may look at which key",
    shows=("mask",),
    inputs=[Input("T = 4", [4]), Input("T = 1", [1]), Input("T = 7", [7])],
    kinds=_kinds,
    properties={"truth values": _truth_values},
    edges={"truth values for every T": lambda evidence: _for_every_length(evidence.answer)},
)
