"""What hidden tests ask: the same as the visible check, on other numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnlab import exercises
from attnlab.diagnosis.examine import examine_on_other_numbers


def on_other_numbers(exercise: str, answer: Any, definition: Callable[..., Any], *kinds: str) -> None:
    """Hold an answer against the definition, on inputs of the kinds that the visible check tries; say nothing when it is right.

    Args:
        exercise: its name.
        answer: the learner's function or class.
        definition: what is right, called as the answer is.
        kinds: only these of the kinds that the exercise's file draws; all where none is named. "one head" takes "one head, integers" with it.

    Raises:
        CheckFailed: at the first input that comes out wrong, with a diagnosis.
        KeyError: the exercise draws no such kind.
    """
    examine_on_other_numbers(exercise, exercises.find(exercise), answer, definition, kinds, exercises.find)
