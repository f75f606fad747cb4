"""What an answer gives for every input of an exercise, and how that stands to what is expected."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from attnlab.arrays import as_numpy, copied, deep_copy
from attnlab.diagnosis import calls
from attnlab.diagnosis.drawn import visible_cases
from attnlab.diagnosis.exercise import Exercise
from attnlab.diagnosis.results.form import same_value
from attnlab.diagnosis.text.source import broken_helper
from attnlab.reference import Case, sample

Made = TypeVar("Made")
NEARLY = 2e-3  # relative: what differs by less is not kept of a known mistake either


class Evidence:
    """What an answer gives for every input of an exercise, asked for once each when something is wrong.

    Args:
        name: of the exercise.
        exercise: what its file says.
        answer: the learner's function or class.
        cases: all inputs, the lesson's own example first, with what is expected.
        passes: whether a function passes the check of the exercise that is called so.
    """

    def __init__(self, name: str, exercise: Exercise, answer: Any, cases: list[Case], passes: Callable[[str, Any], bool]):
        self.name, self.exercise, self.answer, self.cases, self.passes = name, exercise, answer, cases, passes
        self._stages = {label: number for number, labels in enumerate(exercise.stages.values()) for label in labels}
        self._results: dict[str, Any] = {}
        self._made: dict[str, Any] = {}

    def alone(self, case: Case) -> Evidence:
        """The same with this one input."""
        return Evidence(self.name, self.exercise, self.answer, [case], self.passes)

    def once(self, what: str, make: Callable[[], Made]) -> Made:
        """Something that several tests of one check need: made by the first of them."""
        if what not in self._made:
            self._made[what] = make()
        return self._made[what]

    @cached_property
    def drawn(self) -> dict[str, list[Case]]:
        """The further inputs that the visible check tries, by kind."""
        return visible_cases(self.name, self.exercise)

    @cached_property
    def broken_helper(self) -> str:
        """The name of another exercise's function that the answer calls and that does not pass its own check; "" when there is none."""
        return broken_helper(self.answer, {self.name}, self.passes)

    def saw(self, case: Case, result: Any) -> None:
        """Remember the first result for a case, None where the call raises: a later call may give another one."""
        try:
            self._results.setdefault(case.label, copied(result))
        except Exception:  # a generator, or what else has no copy
            self._results.setdefault(case.label, result)

    def result(self, case: Case) -> Any:
        """The result for a case; None where the call raises."""
        return self.results([case])[0]

    def results(self, cases: list[Case]) -> list[Any]:
        """The same for several cases, asked for in one go where a grader can."""
        waiting = [case for case in cases if case.label not in self._results]
        answers = calls.in_place_of(self.answer, self.exercise.call, [case.arguments for case in waiting])
        for case, answer in zip(waiting, answers):
            try:
                self._results[case.label] = self.ask(case, answer)
            except Exception:  # what raises on another input says nothing about this one
                self._results[case.label] = None
        return [self._results[case.label] for case in cases]

    def ask(self, case: Case, answer: Any = None) -> Any:
        """Make the call for a case once more, of the answer or of a changed copy; what it prints is not shown again."""
        return self.ask_with(*deep_copy(case.arguments), answer=answer)

    def ask_with(self, *arguments: Any, answer: Any = None) -> Any:
        """Make a call with other arguments, of the answer or of a changed copy; what it prints is not shown."""
        with contextlib.redirect_stdout(io.StringIO()):
            return self.exercise.call(self.answer if answer is None else answer, *arguments)

    def beside(self, case: Case) -> list[Case]:
        """The inputs whose results say something about a case, itself among them: what belongs to a later stage may not be written yet."""
        return [one for one in self.cases if self._stages.get(one.label, 0) <= self._stages.get(case.label, 0)]

    def is_shown(self, case: Case) -> bool:
        """Whether a case is the lesson's own example."""
        return case.label == self.cases[0].label

    def shown_is_right(self, case: Case) -> bool:
        """Whether a case is another one than the lesson's own example, and that comes out right."""
        return not self.is_shown(case) and self.is_right(self.cases[0])

    def is_right(self, case: Case) -> bool:
        """Whether the result for a case is the expected one."""
        return is_expected(self.result(case), case)

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


def is_expected(result: Any, case: Case) -> bool:
    """Whether a result is the expected one, as far as that is kept."""
    return same_value(sample(result, case.shape), case.expected, case)


def right_parts(result: Any, case: Case) -> list[bool]:
    """Which parts of a result are right; none where it has not as many as are expected."""
    got, wanted = parts_of(result), parts_of(case.expected)
    if not isinstance(case.expected, tuple) or len(got) != len(wanted):
        return []
    return [same_value(one, other, replace(case, expected=other)) for one, other in zip(got, wanted)]


def parts_of(result: Any) -> tuple[Any, ...]:
    """The parts of a result that is a tuple; else itself alone."""
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
