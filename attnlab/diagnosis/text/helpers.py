"""Other exercises' functions that an answer calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnlab import reference
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.text.sizes import globals_of, names_outside


def mend_first(helper: str) -> Cause:
    """What to say where another exercise's function is the cause."""
    return Cause(
        "helpers.called_pass_own_check",
        f"your `{helper}`, which is called here, does not pass its own check",
        f"mend `{helper}` first, run its cell, then this one",
    )


def broken_helper(answer: Any, seen: set[str], passes: Callable[[str, Any], bool]) -> str:
    """The name of another exercise's function that an answer calls, itself or through one, and that does not pass its own check; "" if none.

    Args:
        answer: the learner's function or class.
        seen: exercises that are not looked at any more.
        passes: whether a function passes the check of an exercise.
    """
    held = globals_of(answer)
    for name in dict.fromkeys(names_outside(answer)):
        is_ours = str(getattr(held.get(name), "__module__", "")).startswith("attnlab")  # what stands in for an answer of an earlier lesson
        if name in seen or not callable(held.get(name)) or is_ours or not reference.asking_for(name):
            continue
        seen.add(name)
        if not passes(name, held[name]):
            return broken_helper(held[name], seen, passes) or name
    return ""
