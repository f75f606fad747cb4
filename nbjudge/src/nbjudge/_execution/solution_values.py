"""Which values the instructor's own solution gives, of those that can pass for what they are not: see `nbjudge._proxies.doubtful_values`.

The solution is executed once for each notebook, and only when a student's work has given such a value.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

from nbjudge._analysis.instructor import Instructor
from nbjudge._execution.excused import MOST_KNOWN, key_of
from nbjudge._proxies.doubtful_values import Doubt
from nbjudge._wire.limits import Limits

_known: OrderedDict[str, frozenset[Doubt]] = OrderedDict()


class Executed(Protocol):
    """An `nbjudge._execution.execute.Execution`."""

    @property
    def met(self) -> frozenset[Doubt]: ...
    @property
    def hindered(self) -> bool: ...


def known_values(instructor: Instructor, limits: Limits) -> frozenset[Doubt]:
    """What is known of the solution already."""
    return _known.get(key_of(instructor, limits), frozenset()) if _known else frozenset()


def solution_values(instructor: Instructor, limits: Limits, run: Callable[[], Executed]) -> frozenset[Doubt]:
    """What the solution gives; nothing where the notebook holds none. `run` executes it; where that was hindered, nothing is kept."""
    key = key_of(instructor, limits)
    if key not in _known:
        execution = run()
        if execution.hindered:
            return execution.met
        _known[key] = execution.met
        while len(_known) > MOST_KNOWN:
            _known.popitem(last=False)
    return _known[key]
