"""Why a result is wrong: a cause is named when it is established, by its value on every input, or by what the answer's own text says."""

from __future__ import annotations

import contextlib
import copy
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy, is_number
from attnlab.diagnosis.calls import verdicts
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.helpers import broken_helper, mend_first
from attnlab.diagnosis.memory.again import changes_its_input, differs_again, gives_the_same_array, right_as_decimals
from attnlab.diagnosis.memory.kept import explain_memory
from attnlab.diagnosis.relations.patterns import Example
from attnlab.diagnosis.relations.relations import relation
from attnlab.diagnosis.results.compare import close, same_value, tolerance_of
from attnlab.diagnosis.results.inputs import measures
from attnlab.diagnosis.results.together import explain_the_same, explain_whole_numbers
from attnlab.diagnosis.slips.marks import mark_of
from attnlab.diagnosis.slips.slips import slip_with
from attnlab.diagnosis.text.sizes import explain_fixed
from attnlab.reference import Case, Mistake

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

    def cause(self, case: Case, patterns: bool = True) -> Cause | None:
        """Why the result for a case is wrong, when that is established.

        Args:
            patterns: whether to compare its numbers with those of slips and with the expected ones, too; better words may be there already.
        """
        if self.call is verdicts:  # yes and no are too few numbers to be sure; a record of what the test does says more
            return self.reason(case)
        if kept := self.memory(case):
            return kept
        if patterns and (found := self.probed(self.probes.first, case) or differs_again(self, case)):
            return found
        known, helper = self._known_mistakes(case), self._helper
        if known and patterns and self._against(known[0], case) and (found := self._slip(case)):
            return found
        if known:
            likely = "; or ".join(dict.fromkeys(mistake.likely for mistake in known[:2]))
            more = "" if not self._against(known[0], case) else "; other inputs show that something else is wrong, too"
            if not more and self._against(known[0], case, self.cases):
                more = "; the parts below it give other numbers than that, so there is something else, too, or instead"
            also = f"; your `{helper}` does not pass its own check either: begin there" if helper else ""
            return likely + more, known[0].next + also
        if helper:
            return mend_first(helper)
        if found := right_as_decimals(self, case) or (self._slip(case) if patterns else None):
            return found
        found = None
        if patterns:
            found = self.probed(self.probes.early, case) or self._relation(case) or self.probed(self.probes.late, case)
        if changed := self.probed(changes_its_input, case) if patterns else None:
            return (f"{found[0]}; besides, {changed[0]}" if found else changed[0]), changed[1]
        if found:
            return found
        fixed = explain_fixed(self.answer, self.cases[0], case)
        return fixed or explain_the_same([self.result(one) for one in self._beside(case)], self._beside(case))

    def reason(self, case: Case) -> Cause | None:
        """Why the call for a case raises, when more is established than the exception itself says."""
        if helper := self._helper:
            return mend_first(helper)
        if found := self.memory(case) or self.probed(self.probes.first, case) or self._slip(case, is_in_lines=True):
            return found
        return None if self.is_shown(case) else explain_fixed(self.answer, self.cases[0], case)

    def memory(self, case: Case) -> Cause | None:
        """What earlier calls left behind, when it is why the result for a case is what it is."""
        return explain_memory(self.answer, lambda: self.ask(case), lambda one, other: same_value(one, other, case), self.result(case))

    def cause_of_edge(self, test: Callable[[], Any]) -> Cause | None:
        """Why a test of several calls fails, when that is what one call leaves for the next; `test` gives None where all is well."""
        kept = explain_memory(self.answer, lambda: test() is None, lambda one, other: one is other, False)
        return kept or self.probed(gives_the_same_array, self.cases[0])

    def probed(self, probe: Probe | None, case: Case) -> Cause | None:
        """What one of the exercise's own probes establishes; nothing where a call of its own raises."""
        try:
            return probe(self, case) if probe else None
        except Exception:  # what raises for another input says nothing about this one
            return None

    def cause_of_type(self, case: Case) -> Cause | None:
        """Why a result of whole numbers stands where decimals belong, when other inputs show it."""
        results = [self.result(one) for one in self._beside(case)]
        return explain_the_same(results, self._beside(case)) or explain_whole_numbers(results, self._beside(case), case)

    def shown_is_right(self, case: Case) -> bool:
        """Whether a case is another one than the lesson's own example, and that comes out right."""
        return not self.is_shown(case) and self.is_right(self.cases[0])

    def is_shown(self, case: Case) -> bool:
        """Whether a case is the lesson's own example."""
        return case.label == self.cases[0].label

    def everywhere(self, holds: Callable[[np.ndarray], bool]) -> bool:
        """Whether something holds for the results of all cases that are arrays of the expected shape."""
        results = [
            as_numpy(self.result(case))
            for case in self.cases
            if hasattr(self.result(case), "shape") and np.shape(as_numpy(self.result(case))) == np.shape(as_numpy(case.expected))
        ]
        return all(map(holds, results))

    def _beside(self, case: Case) -> list[Case]:
        """The cases whose results say something about a case, itself among them."""
        return [one for one in self.cases if self._stages.get(one.label, 0) <= self._stages.get(case.label, 0)]

    def _known_mistakes(self, case: Case) -> list[Mistake]:
        """The known mistakes that give this result and those for the other inputs, too; else the only one that gives several of them."""
        result = self.result(case)
        known = [mistake for mistake in case.mistakes if result is not None and same_value(result, mistake.value, case)]
        everywhere = [mistake for mistake in known if not self._against(mistake, case)]
        if everywhere or len({mistake.likely for mistake in known}) != 1:
            most = max((len(self._agreeing(mistake, case, self.cases)) for mistake in everywhere), default=0)
            return [mistake for mistake in everywhere if len(self._agreeing(mistake, case, self.cases)) == most]
        return [
            mistake
            for mistake in known
            if len(set(map(_lengths, self._agreeing(mistake, case)))) > 1 and not any(map(self.is_right, self._against(mistake, case)))
        ]

    def _agreeing(self, mistake: Mistake, case: Case, among: list[Case] | None = None) -> list[Case]:
        """The inputs for which the answer gives what the mistake does, and that is wrong."""
        return [
            case
            for case in among or self._beside(case)
            for one in case.mistakes
            if one.name == mistake.name and self.result(case) is not None and same_value(self.result(case), one.value, case)
        ]

    def _against(self, mistake: Mistake, case: Case, among: list[Case] | None = None) -> list[Case]:
        """The other inputs for which the answer gives something else than the mistake does."""
        return [other for other in among or self._beside(case) if other is not case and self._contradicts(mistake, other)]

    def is_right(self, case: Case) -> bool:
        """Whether the result for a case is the expected one."""
        return same_value(self.result(case), case.expected, case)

    def _is_plainly_wrong(self, case: Case) -> bool:
        """Whether the answer gives something finite for a case, and that is not even nearly right.

        What differs by less is not kept of a known mistake either: `_differs` in `authoring/references.py`.
        """
        result = self.result(case)
        return (
            result is not None
            and not same_value(result, case.expected, replace(case, tolerance=NEARLY))
            and all(hasattr(one, "shape") and as_numpy(one).dtype.kind in "fiu" and np.isfinite(as_numpy(one)).all() for one in _parts(result))
        )

    def _contradicts(self, mistake: Mistake, other: Case) -> bool:
        expected = next((one.value for one in other.mistakes if one.name == mistake.name), None)
        result = self.result(other)
        if expected is None:  # the mistake is right for this input, or raises: it gives no wrong numbers
            return self._is_plainly_wrong(other)
        if result is None or same_value(result, expected, other):
            return False
        return all(np.isfinite(as_numpy(part).astype(float)).all() for part in _parts(result) if hasattr(part, "shape"))

    def _relation(self, case: Case) -> Cause | None:
        """How the first part that is wrong is related to the expected one, when that holds for all inputs with a wrong result."""
        for place in range(len(_parts(case.expected))):
            pairs = [
                (wrong, example)
                for one in [case, *(other for other in self._beside(case) if other is not case)]
                for wrong, example in self._examples(one, place)
            ]
            if not pairs or not pairs[0][0]:
                continue
            examples = [example for wrong, example in pairs if wrong and np.isfinite(example.got).all()]
            if not examples or examples[0] is not pairs[0][1]:
                return None
            found = relation(examples, [example for wrong, example in pairs if not wrong], self.answer)
            if found and isinstance(case.expected, tuple):
                return found[0].replace("the result", "this part"), found[1]
            return found
        return None

    def _examples(self, case: Case, place: int) -> Iterator[tuple[bool, Example]]:
        """A part of the result for a case, and whether it is wrong; nothing where it is no array."""
        results, expected = _parts(self.result(case)), _parts(case.expected)
        if len(results) != len(expected) or not all(hasattr(value, "shape") or is_number(value) for value in (results[place], expected[place])):
            return
        try:
            got, wanted = (as_numpy(values[place]).astype(float) for values in (results, expected))
        except (TypeError, ValueError):  # an array of objects
            return
        tolerance = tolerance_of(results[place], replace(case, expected=expected[place]))
        narrow = min(max(tolerance, 1e-5), 1e-4)  # a wide one would find relations by chance
        arrays, sizes = measures(self.exercise, case, self.call)
        others = {
            name: as_numpy(value).astype(float)
            for name, value in zip(case.parts, expected)
            if value is not expected[place] and isinstance(case.expected, tuple)
        }
        yield not close(got, wanted, tolerance), Example(got, wanted, narrow, arrays, sizes, others)

    def _slip(self, case: Case, is_in_lines: bool = False) -> Cause | None:
        """The slip in a right answer that gives the same results as this answer, for all inputs; `is_in_lines`: in words that fit its lines."""
        beside = self._beside(case)
        results = list(map(self.result, self.cases))
        coarse = any(str(getattr(part, "dtype", "")).endswith("float32") for result in results for part in _parts(result))
        marks = list(map(mark_of, results))
        right = [mark_of(one.expected) for one in self.cases]
        found = slip_with(self.exercise, self.answer, marks, right, coarse, is_in_lines)
        if found or len(beside) == len(self.cases):
            return found
        asked = [mark if one in beside else ... for one, mark in zip(self.cases, marks)]
        found = slip_with(self.exercise, self.answer, asked, right, coarse, is_in_lines)
        return (found[0].replace("of this check", "of this part"), found[1]) if found else None

    @cached_property
    def _helper(self) -> str:
        """The name of another exercise's function that the answer calls and that does not pass its own check; "" when there is none."""
        return broken_helper(self.answer, {self.exercise})


def _lengths(case: Case) -> str:
    """The shapes of what goes in: inputs that share them agree by one and the same chance."""
    return str([getattr(one, "shape", None if isinstance(one, (list, dict)) else one) for one in case.arguments])


def _parts(result: Any) -> tuple[Any, ...]:
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
