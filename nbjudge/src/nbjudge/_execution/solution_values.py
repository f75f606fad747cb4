"""Which values the instructor's own solution gives, of those that can pass for what they are not: see `nbjudge._proxies.doubtful_values`.

The solution is executed once for each notebook, and only when a student's work has given such a value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from nbjudge._analysis.instructor import Instructor
from nbjudge._execution.solution_results import Remembered, SolutionResults
from nbjudge._proxies.doubtful_values import Doubt
from nbjudge._wire.limits import Limits

_results = SolutionResults[list[Doubt]]("values")


class Executed(Protocol):
    """An `nbjudge._execution.execute.Execution`."""

    @property
    def met(self) -> frozenset[Doubt]: ...
    @property
    def hindered(self) -> bool: ...


def known_values(instructor: Instructor, limits: Limits, remembered: Remembered | None) -> frozenset[Doubt]:
    """What is known of the solution already."""
    return _doubts(_results.known(instructor, limits, remembered) or [])


def solution_values(instructor: Instructor, limits: Limits, remembered: Remembered | None, run: Callable[[], Executed]) -> frozenset[Doubt]:
    """What the solution gives; nothing where the notebook holds none. `run` executes it; where that was hindered, nothing is kept."""
    known = _results.known(instructor, limits, remembered)
    if known is None:
        execution = run()
        if execution.hindered:
            return execution.met
        known = sorted(execution.met)
        _results.keep(instructor, limits, remembered, known)
    return _doubts(known)


def _doubts(found: list[Doubt]) -> frozenset[Doubt]:
    return frozenset((test, what, part) for test, what, part in found)
