"""The levels that every visible check climbs; it stops at the first that fails."""

from __future__ import annotations

import contextlib
import copy
import io
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from attnlab import reference
from attnlab.arrays import as_numpy
from attnlab.check import session
from attnlab.diagnosis import calls
from attnlab.diagnosis.cause import WIDTH, Cause, CheckFailed, Diagnosis
from attnlab.diagnosis.evidence import Evidence, Probes
from attnlab.diagnosis.exceptions.raised import NOT_REACHED, NOT_WRITTEN, explain_error
from attnlab.diagnosis.limits import TooLong, limited
from attnlab.diagnosis.memory.again import is_same
from attnlab.diagnosis.policy import EDGE, NAMED, NONE, NUMBERS, RAISES, TYPE, VERDICTS, Trouble, explain
from attnlab.diagnosis.results.compare import explain_difference
from attnlab.diagnosis.results.finite import explain_not_finite
from attnlab.diagnosis.results.kinds import explain_shape, explain_type
from attnlab.diagnosis.results.parts import explain_form, part_by_part
from attnlab.diagnosis.results.properties import Everywhere
from attnlab.diagnosis.results.returns import explain_none
from attnlab.reference import Case

Property = Callable[[Any, Everywhere], Diagnosis | None]
Step = tuple[str, Callable[[], Diagnosis | None]]


def examine(
    exercise: str,
    answer: Any,
    properties: dict[str, Property] | None = None,
    edges: dict[str, Callable[[], Diagnosis | None]] | None = None,
    stages: Mapping[str, Sequence[str]] | None = None,
    before: Callable[[], Diagnosis | None] | None = None,
    probes: Probes | None = None,
) -> None:
    """Check an answer level by level and print one line when all hold.

    Args:
        exercise: the exercise's name, as in `attnlab/data`.
        answer: what the learner wrote: a function or a class.
        properties: named tests of the result for the lesson's own example, for instance its row sums; a result that
            is a tuple comes as a tuple of arrays. Their second argument says whether something holds for the results of all inputs.
        edges: named tests after the reference, each with its own calls.
        stages: for a large exercise, what stands at which stage: for each stage the labels of its cases and the names of its edges, easy
            stages first. All stages are tried, so that a learner sees what stands already; the first that does not is explained.
        before: looked at before anything large is called.
        probes: what establishes causes in this exercise alone.

    Raises:
        CheckFailed: at the first level that fails, with a diagnosis.
        ValueError: a case or an edge belongs to no stage, or to two, or a stage names one that is not there.
    """
    _note(session.started, exercise)
    shown, *later = reference.cases(exercise)
    order = [name for names in (stages or {}).values() for name in names] or [shown.label, *(case.label for case in later), *(edges or {})]
    call = calls.of(exercise)
    tried = sorted([*(case.label for case in later), shown.label, *(edges or {})])
    if sorted(order) != tried:
        raise ValueError(f"{exercise}: each of {tried} belongs to one stage; the stages name {sorted(order)}")
    numbers = {label: number for number, labels in enumerate((stages or {}).values()) for label in labels}
    evidence = Evidence(exercise, answer, call, [shown, *later], numbers, probes)
    groups: dict[str, list[Step]] = {name: [(name, partial(_edge, evidence, test))] for name, test in (edges or {}).items()}
    for case in [shown, *later]:
        attempt = _Attempt(evidence, case)
        groups[case.label] = _levels(attempt, properties or {}) if case is shown else [(case.label, attempt.explain)]
    start = [("written", lambda: _written(answer)), *([("small first", before)] if before else [])]
    steps = [*start, *(step for name in order for step in groups[name])]
    passed = f"all {len(steps)} steps pass ({', '.join(name for name, _ in steps)})"
    if stages and not _written(answer):
        _climb_stages(exercise, {stage: [step for name in names for step in groups[name]] for stage, names in stages.items()})
        passed = f"all {len(stages)} parts stand ({', '.join(stages)})"
    else:
        _climb(exercise, steps)
    _note(session.passed, exercise)
    print(textwrap.fill(f"✓ {exercise}: {passed}", WIDTH, subsequent_indent="  "))


def _edge(evidence: Evidence, test: Callable[[], Diagnosis | None]) -> Diagnosis | None:
    """A test with calls of its own, with the cause where the calls hang together."""
    found = test()
    return found if not found or found is NOT_WRITTEN else explain(evidence, evidence.cases[0], EDGE, found, test)


def _levels(attempt: _Attempt, properties: dict[str, Property]) -> list[Step]:
    """The levels that the lesson's own example climbs."""
    return [
        ("runs", attempt.run),
        ("type", attempt.explain_type),
        ("shape", attempt.explain_shape),
        ("finite", attempt.explain_not_finite),
        *((name, lambda test=test: attempt.explain_property(test)) for name, test in properties.items()),
        ("reference", attempt.explain_difference),
        ("input unchanged", attempt.explain_changed_input),
    ]


def _climb(exercise: str, steps: list[Step]) -> None:
    """Raise for the first step that fails."""
    if found := _first_trouble(steps):
        place, diagnosis = found
        _refuse_untouched(exercise, diagnosis)
        raise CheckFailed(f"{exercise}, step {place + 1} of {len(steps)}: {steps[place][0]}", diagnosis)


def _climb_stages(exercise: str, stages: Mapping[str, list[Step]]) -> None:
    """Try every stage; raise for the first that does not stand, with a line that says which do."""
    troubles = {stage: _first_trouble(steps) for stage, steps in stages.items()}
    for number, (stage, found) in enumerate(troubles.items(), start=1):
        if not found:
            continue
        place, diagnosis = found
        if all(troubles.values()):
            _refuse_untouched(exercise, diagnosis)
        step = f" ({stages[stage][place][0]})" if len(stages[stage]) > 1 else ""
        marks = " · ".join(f"{'✗' if trouble else '✓'} {name}" for name, trouble in troubles.items())
        raise CheckFailed(
            f"{exercise}, part {number} of {len(stages)}: {stage}{step}", _NOT_GOING_ON if diagnosis is NOT_WRITTEN else diagnosis, marks
        )


def _first_trouble(steps: list[Step]) -> tuple[int, Diagnosis] | None:
    """The place of the first step that fails, and what it says."""
    for place, (_, test) in enumerate(steps):
        try:
            with limited():
                found = test()
        except TooLong as error:
            found = error.diagnosis
        if found:
            return place, found
    return None


def _refuse_untouched(exercise: str, diagnosis: Diagnosis) -> None:
    if diagnosis is NOT_WRITTEN:
        _note(session.untouched, exercise)
        raise CheckFailed(f"{exercise}: not started yet", diagnosis)
    if diagnosis is NOT_REACHED:
        raise CheckFailed(f"{exercise}: not written yet", diagnosis)


class _Attempt:
    """One call of the answer, with what went in and what came out."""

    def __init__(self, evidence: Evidence, case: Case):
        self.evidence, self.case = evidence, case
        self.given = copy.deepcopy(case.arguments)
        self.result: Any = None

    def run(self) -> Diagnosis | None:
        try:
            self.result = self.evidence.call(self.evidence.answer, *self.given)
        except Exception as error:  # whatever a learner's code raises is what has to be explained
            found = explain_error(error, self.evidence.answer)
            return found if isinstance(error, NotImplementedError) else explain(self.evidence, self.case, RAISES, found)
        self.evidence.saw(self.case, self.result)
        return None

    def explain(self) -> Diagnosis | None:
        """All levels at once."""
        return (
            self.run()
            or self.explain_type()
            or self.explain_shape()
            or self.explain_not_finite()
            or self.explain_difference()
            or self.explain_changed_input()
        )

    def explain_type(self) -> Diagnosis | None:
        if self.result is None and self.case.expected is not None:
            return explain(self.evidence, self.case, NONE, explain_none(self.evidence.answer, self.case.parts))
        form = explain_form(self.result, self.case)
        return self._with_cause(form or part_by_part(lambda result, case: explain_type(result, case.expected), self.result, self.case), TYPE)

    def explain_shape(self) -> Diagnosis | None:
        return self._with_cause(part_by_part(explain_shape, self.result, self.case), NUMBERS)

    def explain_not_finite(self) -> Diagnosis | None:
        def explain_part(result: Any, case: Case) -> Diagnosis | None:
            return explain_not_finite(result, case, lambda: self.evidence.ask(self.case), self.evidence.answer)

        return self._with_cause_unless_named(part_by_part(explain_part, self.result, self.case))

    def explain_property(self, test: Property) -> Diagnosis | None:
        result = tuple(map(as_numpy, self.result)) if isinstance(self.result, (tuple, list)) else as_numpy(self.result)
        return self._with_cause_unless_named(test(result, self.evidence.everywhere))

    def explain_difference(self) -> Diagnosis | None:
        return self._with_cause(part_by_part(explain_difference, self.result, self.case), NUMBERS)

    def explain_changed_input(self) -> Diagnosis | None:
        for before, after in zip(self.case.arguments, self.given):
            if not is_same(before, after):
                return Diagnosis(
                    "after the call, what was passed in has other values",
                    "the input is left as it was; whoever called you still needs it",
                    Cause(
                        "examine.place_operation_argument_append",
                        "an in-place operation on the argument: `-=`, `/=`, `[...] =`, `append`, `pop`, `sort`, or a torch method that ends in `_`",
                        "make a new array, for example `shifted = scores - largest` instead of `scores -= largest`",
                    ),
                )
        return None

    def _with_cause(self, found: Diagnosis | None, trouble: Trouble) -> Diagnosis | None:
        """What was found, with its cause where one is established."""
        if found is None:
            return None
        return explain(self.evidence, self.case, VERDICTS if self.evidence.call is calls.verdicts else trouble, found)

    def _with_cause_unless_named(self, found: Diagnosis | None) -> Diagnosis | None:
        """The same; what names a cause already gives way to few others."""
        return self._with_cause(found, NAMED if found and found.cause.is_established else NUMBERS)


_quiet: list[bool] = []


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Run a check without printing and without a trace in the learner's progress."""
    _quiet.append(True)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        _quiet.pop()


def _note(what: Callable[[str], None], exercise: str) -> None:
    if not _quiet:
        what(exercise)


_NOT_GOING_ON = Diagnosis(
    "a line that raises NotImplementedError is still there",
    "your code in its place",
    Cause(
        "examine.part_written_yet_fine",
        "this part is not written yet, and that is fine: what has a ✓ above stands already",
        "write the next method; *Pseudocode* in the card says what it does",
    ),
)


def _written(answer: Any) -> Diagnosis | None:
    if answer is None or answer is Ellipsis:
        return NOT_WRITTEN
    if callable(answer):
        return None
    return Diagnosis(
        f"the name stands for {type(answer).__name__}, a value",
        "a function or class that can be called",
        Cause(
            "examine.later_cell_gave_name",
            "a later cell gave the name another meaning, or the call's result was stored under it",
            "run the cell that defines it again, and give results a name of their own",
        ),
    )
