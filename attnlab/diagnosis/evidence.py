"""What an answer gives for every input of an exercise, and how that stands to what is expected."""

from __future__ import annotations

import contextlib
import copy
import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.results.compare import same_value
from attnlab.diagnosis.text.helpers import broken_helper
from attnlab.reference import Case

Probe = Callable[["Evidence", Case], Cause | None]
NEARLY = 2e-3  # relative: what differs by less is not kept of a known mistake either


@dataclass(frozen=True)
class Probes:
    """What an exercise has of its own to establish a cause with, by calls of its own, for a case that comes out wrong.

    Attributes:
        first: asked before everything else, for exceptions, too.
        early: asked before relations of numbers are looked for.
        late: asked after that.
    """

    first: Probe | None = None
    early: Probe | None = None
    late: Probe | None = None


class Evidence:
    """What an answer gives for every input of an exercise, asked for once each when something is wrong.

    Args:
        exercise: its name.
        answer: the learner's function or class.
        call: how a result is got from it.
        cases: all inputs, the lesson's own example first.
        stages: for a large exercise, the number of the stage that each case belongs to, by label. What belongs to a later stage may not be
            written yet, and so says nothing about an earlier one.
        probes: the exercise's own.
    """

    def __init__(
        self,
        exercise: str,
        answer: Any,
        call: Callable[..., Any],
        cases: list[Case],
        stages: dict[str, int] | None = None,
        probes: Probes | None = None,
    ):
        self.exercise, self.answer, self.call, self.cases, self._stages = exercise, answer, call, cases, stages or {}
        self.probes = probes or Probes()
        self._results: dict[str, Any] = {}

    @cached_property
    def broken_helper(self) -> str:
        """The name of another exercise's function that the answer calls and that does not pass its own check; "" when there is none."""
        return broken_helper(self.answer, {self.exercise})

    def saw(self, case: Case, result: Any) -> None:
        """Remember the first result for a case: a later call may give another one."""
        try:
            self._results.setdefault(case.label, copy.deepcopy(result))
        except Exception:  # a generator, or what else has no copy
            self._results.setdefault(case.label, result)

    def result(self, case: Case) -> Any:
        """The result for a case; None where the call raises."""
        if case.label not in self._results:
            try:
                self._results[case.label] = self.ask(case)
            except Exception:  # what raises on another input says nothing about this one
                self._results[case.label] = None
        return self._results[case.label]

    def ask(self, case: Case) -> Any:
        """Make the call for a case once more; what it prints is not shown again."""
        return self.ask_with(*copy.deepcopy(case.arguments))

    def ask_with(self, *arguments: Any) -> Any:
        """Make a call with other arguments; what it prints is not shown."""
        with contextlib.redirect_stdout(io.StringIO()):
            return self.call(self.answer, *arguments)

    def beside(self, case: Case) -> list[Case]:
        """The cases whose results say something about a case, itself among them."""
        return [one for one in self.cases if self._stages.get(one.label, 0) <= self._stages.get(case.label, 0)]

    def is_shown(self, case: Case) -> bool:
        """Whether a case is the lesson's own example."""
        return case.label == self.cases[0].label

    def shown_is_right(self, case: Case) -> bool:
        """Whether a case is another one than the lesson's own example, and that comes out right."""
        return not self.is_shown(case) and self.is_right(self.cases[0])

    def is_right(self, case: Case) -> bool:
        """Whether the result for a case is the expected one."""
        return same_value(self.result(case), case.expected, case)

    def is_plainly_wrong(self, case: Case) -> bool:
        """Whether the answer gives something finite for a case, and that is not even nearly right.

        What differs by less is not kept of a known mistake either: `_differs` in `authoring/references.py`.
        """
        result = self.result(case)
        return (
            result is not None
            and not same_value(result, case.expected, replace(case, tolerance=NEARLY))
            and all(hasattr(one, "shape") and as_numpy(one).dtype.kind in "fiu" and np.isfinite(as_numpy(one)).all() for one in parts_of(result))
        )

    def everywhere(self, holds: Callable[[np.ndarray], bool]) -> bool:
        """Whether something holds for the results of all cases that are arrays of the expected shape."""
        results = [
            as_numpy(self.result(case))
            for case in self.cases
            if hasattr(self.result(case), "shape") and np.shape(as_numpy(self.result(case))) == np.shape(as_numpy(case.expected))
        ]
        return all(map(holds, results))


def parts_of(result: Any) -> tuple[Any, ...]:
    """The parts of a result that is a tuple; else itself alone."""
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
