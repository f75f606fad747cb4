"""Why a result is wrong: a cause is named when it is established, by its value on every input, or by what the answer's own text says."""

from __future__ import annotations

import contextlib
import copy
import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from attnlab.check.calls import verdicts
from attnlab.check.compare import close, relation, same_value, tolerance_of
from attnlab.check.diagnosis import Cause
from attnlab.check.kinds import as_numpy
from attnlab.check.sizes import explain_fixed, globals_of, names_outside
from attnlab.reference import Case, Mistake


class Evidence:
    """What an answer gives for every input of an exercise, asked for once each when something is wrong.

    Args:
        exercise: its name.
        answer: the learner's function or class.
        call: how a result is got from it.
        cases: all inputs, the lesson's own example first.
    """

    def __init__(self, exercise: str, answer: Any, call: Callable[..., Any], cases: list[Case]):
        self.exercise, self.answer, self.call, self.cases = exercise, answer, call, cases
        self._results: dict[str, Any] = {}

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
        with contextlib.redirect_stdout(io.StringIO()):
            return self.call(self.answer, *copy.deepcopy(case.arguments))

    def cause(self, case: Case, patterns: bool = True) -> Cause | None:
        """Why the result for a case is wrong, when that is established.

        Args:
            patterns: whether to compare its numbers with the expected ones, too.
        """
        if self.call is verdicts:  # yes and no are too few numbers to be sure; a record of what the test does says more
            return self.reason(case)
        known, helper = self._known_mistakes(case), self._helper
        if known:
            likely = "; or ".join(dict.fromkeys(mistake.likely for mistake in known[:2]))
            more = "" if not self._against(known[0], case) else "; other inputs show that something else is wrong, too"
            also = f"; your `{helper}` does not pass its own check either: begin there" if helper else ""
            return likely + more, known[0].next + also
        if helper:
            return _mend_first(helper)
        if patterns and (found := self._relation(case)):
            return found
        return None if self.is_shown(case) else explain_fixed(self.answer, self.cases[0], case)

    def reason(self, case: Case) -> Cause | None:
        """Why the call for a case raises, when more is established than the exception itself says."""
        if helper := self._helper:
            return _mend_first(helper)
        return None if self.is_shown(case) else explain_fixed(self.answer, self.cases[0], case)

    def shown_is_right(self, case: Case) -> bool:
        """Whether a case is another one than the lesson's own example, and that comes out right."""
        return not self.is_shown(case) and self._is_right(self.cases[0])

    def is_shown(self, case: Case) -> bool:
        """Whether a case is the lesson's own example."""
        return case.label == self.cases[0].label

    def everywhere(self, holds: Callable[[np.ndarray], bool]) -> bool:
        """Whether something holds for the results of all cases that are arrays of the expected shape."""
        results = [as_numpy(self.result(case)) for case in self.cases
                   if hasattr(self.result(case), "shape") and np.shape(as_numpy(self.result(case))) == np.shape(as_numpy(case.expected))]
        return all(map(holds, results))

    def _known_mistakes(self, case: Case) -> list[Mistake]:
        """The known mistakes that give this result and what the answer gives for the other inputs, too; else the only one that gives this result."""
        result = self.result(case)
        known = [mistake for mistake in case.mistakes if result is not None and same_value(result, mistake.value, case)]
        everywhere = [mistake for mistake in known if not self._against(mistake, case)]
        if everywhere or len({mistake.likely for mistake in known}) != 1:
            return everywhere
        return [mistake for mistake in known if not any(self._is_right(other) for other in self._against(mistake, case))]

    def _against(self, mistake: Mistake, case: Case) -> list[Case]:
        """The other inputs for which the answer gives something else than the mistake does."""
        return [other for other in self.cases if other is not case and self._contradicts(mistake, other)]

    def _is_right(self, case: Case) -> bool:
        return same_value(self.result(case), case.expected, case)

    def _contradicts(self, mistake: Mistake, other: Case) -> bool:
        expected = next((one.value for one in other.mistakes if one.name == mistake.name), None)
        result = self.result(other)
        if expected is None or result is None or same_value(result, expected, other):
            return False
        return all(np.isfinite(as_numpy(part).astype(float)).all() for part in _parts(result) if hasattr(part, "shape"))

    def _relation(self, case: Case) -> Cause | None:
        """How the result is related to the expected one, when that holds for all inputs with a wrong result."""
        wrong = list(self._wrong(case))
        found = [relation(got, wanted) for got, wanted in wrong]
        return found[0][1] if found and found[0] and len({one and one[0] for one in found}) == 1 else None

    def _wrong(self, case: Case) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Pairs of a wrong array and the expected one, the given case's first."""
        for one in [case, *(other for other in self.cases if other is not case)]:
            for result, expected in zip(_parts(self.result(one)), _parts(one.expected)):
                if not hasattr(result, "shape") or not hasattr(expected, "shape"):
                    continue
                got, wanted = as_numpy(result).astype(float), as_numpy(expected).astype(float)
                if not close(got, wanted, tolerance_of(result, replace(one, expected=expected))):
                    yield got, wanted

    @cached_property
    def _helper(self) -> str:
        """The name of another exercise's function that the answer calls and that does not pass its own check; "" when there is none."""
        return _broken_helper(self.answer, {self.exercise})


def _mend_first(helper: str) -> Cause:
    return f"your `{helper}`, which is called here, does not pass its own check", f"mend `{helper}` first, run its cell, then this one"


def _broken_helper(answer: Any, seen: set[str]) -> str:
    from attnlab import check, reference
    from attnlab.check.engine import quietly
    held = globals_of(answer)
    for name in dict.fromkeys(names_outside(answer)):
        if name in seen or not callable(held.get(name)) or not reference.asking_for(name):
            continue
        seen.add(name)
        try:
            with quietly():
                getattr(check, name)(held[name])
        except Exception:  # the check of that exercise says more
            return _broken_helper(held[name], seen) or name
    return ""


def _parts(result: Any) -> tuple[Any, ...]:
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
