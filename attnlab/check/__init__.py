"""Visible checks: `check.softmax(softmax)` says what is wrong with your answer, or prints one line when all is well.

There is a check for each exercise of `attnlab/exercises`, called as the exercise is. It takes what you wrote and climbs the same levels:
written, runs, type, shape, finite, properties, reference, input unchanged, edge cases. It stops at the first that fails with `CheckFailed`,
whose text says what was observed, what was expected, the likely cause and the next step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnlab import exercises
from attnlab.check import session
from attnlab.check.cards import show_cards
from attnlab.check.in_parts import in_parts
from attnlab.check.other_numbers import on_other_numbers
from attnlab.check.overview import progress
from attnlab.check.predictions import choice, reveal
from attnlab.check.shown import expected, known
from attnlab.diagnosis.cause import CheckFailed

__all__ = ["CheckFailed", "choice", "expected", "in_parts", "known", "on_other_numbers", "progress", "reveal", *exercises.names()]


def __getattr__(name: str) -> Callable[[Any], None]:
    """The check of an exercise."""
    if name not in exercises.names():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals().setdefault(name, session.check_of(name))  # the next time, Python finds it at once


def __dir__() -> list[str]:
    return sorted({*globals(), *exercises.names()})


show_cards()
