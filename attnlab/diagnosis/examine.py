"""The levels that every visible check climbs, in limited time; it stops at the first that fails."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.arrays import as_numpy, deep_copy, kind_of
from attnlab.diagnosis import calls
from attnlab.diagnosis.cause import Cause, CheckFailed, CheckTimeoutError, Diagnosis, unknown
from attnlab.diagnosis.drawn import HIDDEN, OTHERS, VISIBLE, chosen, hidden_case, inputs_of, kinds_among
from attnlab.diagnosis.evidence import Evidence, is_expected
from attnlab.diagnosis.exceptions.raised import NOT_REACHED, NOT_WRITTEN, explain_error, is_not_written
from attnlab.diagnosis.exercise import Exercise, Property, Test
from attnlab.diagnosis.limits import CodeTimeoutError, forget_stopped, limited, next_call, remember_stopped
from attnlab.diagnosis.memory.memory import explain_called_again
from attnlab.diagnosis.memory.modules import explain_module_called_again
from attnlab.diagnosis.memory.writes import explain_write
from attnlab.diagnosis.policy import EDGE, NAMED, NONE, NUMBERS, RAISES, TYPE, VERDICTS, Trouble, explain
from attnlab.diagnosis.results.form import (
    explain_difference,
    explain_form,
    explain_none,
    explain_not_finite,
    explain_shape,
    explain_type,
    is_same,
    part_by_part,
)
from attnlab.reference import Case, sample

Step = tuple[str, Callable[[], Diagnosis | None]]


def examine(name: str, exercise: Exercise, answer: Any, find: Callable[[str], Exercise]) -> str:
    """Check an answer level by level; return what passed, in words.

    Args:
        name: of the exercise.
        exercise: what its file says.
        answer: what the learner wrote: a function or a class.
        find: gives the exercise of another name, whose function may be called here.

    Raises:
        CheckFailed: at the first level that fails, with a diagnosis.
        CheckTimeoutError: the answer takes too long; nothing more is tried.
    """
    forget_stopped(answer)
    if exercise.stops and _written(answer) is None and (found := exercise.stops(_evidence(name, exercise, answer, reference.cases(name), find))):
        remember_stopped(answer, found)
        raise CheckTimeoutError(f"{name}: stopped", found)
    with _in_time(name, exercise, answer):
        return _examine(name, exercise, answer, find)


@contextlib.contextmanager
def _in_time(name: str, exercise: Exercise, answer: Any) -> Iterator[None]:
    """The limit of time of a check, and what the check says when it is over."""
    try:
        with limited(exercise.seconds):
            yield
    except CodeTimeoutError as error:
        found = error.diagnosis
        if not error.while_explaining:
            found = (exercise.explain_endless(answer, found) if exercise.explain_endless else None) or found
            remember_stopped(answer, found)
        raise CheckTimeoutError(f"{name}, {error.headline}", found, error.marks) from None


def _examine(name: str, exercise: Exercise, answer: Any, find: Callable[[str], Exercise]) -> str:
    """The same, in the time that is given already."""
    shown, *later = reference.cases(name)
    order = [shown.label, *(case.label for case in later), *exercise.edges]
    evidence = _evidence(name, exercise, answer, [shown, *later], find)
    groups: dict[str, list[Step]] = {label: [(label, partial(_edge, evidence, test))] for label, test in exercise.edges.items()}
    for case in [shown, *later]:
        attempt = _Attempt(evidence, case, is_named=case is not shown)
        groups[case.label] = _levels(attempt, exercise.properties) if case is shown else [(case.label, attempt.explain)]
    before, unwritten = exercise.before, _written(answer)
    start = [("written", lambda: unwritten), *([("small first", lambda: before(evidence))] if before else [])]
    if exercise.stages and not unwritten:
        _climb_stages(
            evidence,
            {
                stage: [
                    *(step for label in labels for step in groups.get(label, ())),
                    ("further inputs", partial(_further_of_stage, evidence, labels)),
                ]
                for stage, labels in exercise.stages.items()
            },
        )
        return f"all {len(exercise.stages)} parts stand ({', '.join(exercise.stages)})"
    steps = [*start, *(step for label in order for step in groups[label])]
    count = len(steps) + (2 if exercise.kinds else 0)
    _climb(evidence, steps, count)
    further = _further_steps(evidence, chosen(evidence.drawn, ()), VISIBLE, with_again=True)
    _climb(evidence, further, count, len(steps))
    steps += further
    return f"all {len(steps)} steps pass ({', '.join(label for label, _ in steps)})"


def examine_on_other_numbers(
    name: str, exercise: Exercise, answer: Any, definition: Callable[..., Any], kinds: tuple[str, ...], find: Callable[[str], Exercise]
) -> None:
    """Try an answer on other numbers of the kinds that its visible check tries.

    Args:
        name: of the exercise.
        exercise: what its file says.
        answer: what the learner wrote.
        definition: a right answer, called as the learner's.
        kinds: which of those that the exercise draws; all where none is named.
        find: gives the exercise of another name.

    Raises:
        CheckFailed: at the first input that comes out wrong, with a diagnosis.
        KeyError: the exercise draws no such kind, or nothing at all.
    """
    if not exercise.kinds:
        raise KeyError(f"the file of {name} draws no inputs: give it `kinds`")
    evidence = _evidence(name, exercise, answer, reference.cases(name), find)
    inputs = inputs_of(exercise, HIDDEN)
    wanted = chosen(inputs, kinds)
    cases = [hidden_case(exercise, one, definition) for one in wanted]
    steps = _further_steps(evidence, cases, HIDDEN, wanted[0] is chosen(inputs, ())[0])
    with _in_time(name, exercise, answer):
        if found := _first_trouble(steps, ["on other numbers"] * len(steps)):
            raise CheckFailed(f"{name}, on other numbers", found[1])


def _evidence(name: str, exercise: Exercise, answer: Any, cases: list[Case], find: Callable[[str], Exercise]) -> Evidence:
    return Evidence(name, exercise, answer, cases, lambda other, function: _passes(other, function, find))


def _further_steps(evidence: Evidence, cases: list[Case], seed: int, with_again: bool) -> list[Step]:
    """What comes after everything that is told beforehand: inputs of every kind, and one call after the other.

    Args:
        evidence: of the answer.
        cases: the inputs.
        seed: with which they were drawn.
        with_again: whether the first of all that are drawn is among them: what one call leaves for the next is asked once, and costs one part.
    """
    if not cases:
        return []
    further = (f"{len(cases)} further inputs", partial(_further, evidence, cases))
    if not with_again:
        return [further]
    explain_again = explain_module_called_again if isinstance(evidence.exercise.call, calls.Module) else explain_called_again

    def other() -> list[Any]:
        return chosen(inputs_of(evidence.exercise, seed + OTHERS), ())[0].arguments

    return [further, ("called again", partial(_edge, evidence, partial(explain_again, case=cases[0], draw=other)))]


def _further_of_stage(evidence: Evidence, labels: Sequence[str]) -> Diagnosis | None:
    """The same for the kinds of a stage; they are drawn only when all else of it passes."""
    if not (kinds := kinds_among(evidence.drawn, labels)):
        return None
    cases = chosen(evidence.drawn, kinds)
    steps = _further_steps(evidence, cases, VISIBLE, cases[0] is chosen(evidence.drawn, ())[0])
    found = _first_trouble(steps, [label for label, _ in steps])
    return found[1] if found else None


def _further(evidence: Evidence, cases: list[Case]) -> Diagnosis | None:
    call = evidence.exercise.call
    reused = calls.Reused(call, evidence.answer) if isinstance(call, calls.Module) else None
    answers = [evidence.answer] * len(cases) if reused else calls.in_place_of(evidence.answer, call, [case.arguments for case in cases])
    for case, answer in zip(cases, answers):
        next_call()
        if reused and _Attempt(evidence, case).is_right(reused):
            continue  # what is wrong of it is looked for with a module of its own
        if found := _Attempt(evidence, case, answer).explain_with_label():
            return found
    return None


def _passes(name: str, function: Any, find: Callable[[str], Exercise]) -> bool:
    """Whether another exercise's function passes its own check; what it prints is not shown."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            _examine(name, find(name), function, find)
    except Exception:  # the check of that exercise says more
        return False
    return True


def _edge(evidence: Evidence, test: Test) -> Diagnosis | None:
    """A test with calls of its own, with the cause where the calls hang together."""
    try:
        found = test(evidence)
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        found = explain_error(error, evidence.answer)
    return found if not found or found is NOT_WRITTEN else explain(evidence, evidence.cases[0], EDGE, found, test)


def _levels(attempt: _Attempt, properties: Mapping[str, Property]) -> list[Step]:
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


def _climb(evidence: Evidence, steps: list[Step], count: int, below: int = 0) -> None:
    """Raise for the first step that fails, of so many in all, some of them below these."""
    headlines = [f"step {below + number} of {count}: {label}" for number, (label, _) in enumerate(steps, start=1)]
    if found := _first_trouble(steps, headlines):
        place, diagnosis = found
        _refuse_untouched(evidence, diagnosis)
        raise CheckFailed(f"{evidence.name}, {headlines[place]}", diagnosis)


def _climb_stages(evidence: Evidence, stages: Mapping[str, list[Step]]) -> None:
    """Try every stage; raise for the first that does not stand, with a line that says which do."""
    headlines = {stage: [f"{stage}{f' ({label})' if label != stage else ''}" for label, _ in steps] for stage, steps in stages.items()}
    troubles: dict[str, tuple[int, Diagnosis] | None] = {}
    for stage, steps in stages.items():
        try:
            troubles[stage] = _first_trouble(steps, headlines[stage])
        except CodeTimeoutError as error:
            error.marks = ", ".join(f"{_mark(troubles[other]) if other in troubles else '✗' if other == stage else '–'} {other}" for other in stages)
            raise
    failed = [(stage, *found) for stage, found in troubles.items() if found]
    if not failed:
        return
    stage, place, diagnosis = min(failed, key=lambda one: one[1] == len(stages[one[0]]) - 1)  # what only further inputs show comes last
    if len(failed) == len(stages):
        _refuse_untouched(evidence, diagnosis)
    marks = ", ".join(f"{_mark(trouble)} {label}" for label, trouble in troubles.items())
    raise CheckFailed(f"{evidence.name}, {headlines[stage][place]}", _NOT_GOING_ON if diagnosis is NOT_WRITTEN else diagnosis, marks)


def _mark(trouble: tuple[int, Diagnosis] | None) -> str:
    return "✓" if trouble is None else "○" if trouble[1].is_open else "✗"


def _first_trouble(steps: list[Step], headlines: list[str]) -> tuple[int, Diagnosis] | None:
    """The place of the first step that fails, and what it says."""
    for place, (_, test) in enumerate(steps):
        next_call()
        try:
            found = test()
        except CodeTimeoutError as error:
            error.headline = headlines[place]
            raise
        if found:
            return place, found
    return None


def _refuse_untouched(evidence: Evidence, diagnosis: Diagnosis) -> None:
    if diagnosis is NOT_WRITTEN:
        raise CheckFailed(f"{evidence.name}: not started yet", diagnosis)
    if diagnosis is NOT_REACHED:
        raise CheckFailed(f"{evidence.name}: not written yet", diagnosis)


class _Attempt:
    """One call of the answer, with what went in and what came out.

    Args:
        is_named: whether the headline names the input, so that nothing else has to.
    """

    def __init__(self, evidence: Evidence, case: Case, answer: Any = None, is_named: bool = False):
        self.told = replace(case, label="") if is_named else case
        self.evidence, self.case, self.answer = evidence, case, evidence.answer if answer is None else answer
        self.given = deep_copy(case.arguments)
        self.result: Any = None

    def run(self) -> Diagnosis | None:
        try:
            self.result = self.evidence.exercise.call(self.answer, *self.given)
        except Exception as error:  # whatever a learner's code raises is what has to be explained
            self.evidence.saw(self.case, None)
            found = explain_error(error, self.evidence.answer, self.evidence.exercise.uses)
            return found if is_not_written(error) else explain(self.evidence, self.case, RAISES, found)
        self.evidence.saw(self.case, self.result)
        return self._take_sample() if self.case.shape else None

    def _take_sample(self) -> Diagnosis | None:
        """Go on with what is kept of a large result."""
        if explain_form(self.result, self.case):
            return None  # that is told as it is
        found = part_by_part(_explain_large_shape, self.result, self.case)
        self.result = sample(self.result, self.case.shape)
        return found

    def is_right(self, call: Callable[..., Any]) -> bool:
        """Whether everything comes out right when it is called in another way; nothing is explained or remembered."""
        try:
            self.result = call(*self.given)
            return is_expected(self.result, self.case) and not self._form() and all(map(is_same, self.case.arguments, self.given))
        except Exception:  # whatever a learner's code raises
            return False

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

    def explain_with_label(self) -> Diagnosis | None:
        """The same; the input is named by all that is said, also where the step does not name it."""
        if found := self.run() or self.explain_type():
            return self._with_label(found)
        found = self.explain_shape() or self.explain_not_finite() or self.explain_difference()
        return found or self._with_label(self.explain_changed_input())

    def _with_label(self, found: Diagnosis | None) -> Diagnosis | None:
        return replace(found, observed=f"for {self.case.label}: {found.observed}") if found else None

    def explain_type(self) -> Diagnosis | None:
        if self.result is None and self.case.expected is not None:
            return explain(self.evidence, self.case, NONE, explain_none(self.evidence.answer, self.case.parts))
        return self._with_cause(self._form(), TYPE)

    def _form(self) -> Diagnosis | None:
        """What is wrong with the form of the result, or with the type of one of its parts."""
        form = explain_form(self.result, self.case)
        return form or part_by_part(lambda result, case: explain_type(result, case.expected), self.result, self.case)

    def explain_shape(self) -> Diagnosis | None:
        return self._with_cause(part_by_part(explain_shape, self.result, self.told), NUMBERS)

    def explain_not_finite(self) -> Diagnosis | None:
        def explain_part(result: Any, case: Case) -> Diagnosis | None:
            return explain_not_finite(result, case, lambda answer: self.evidence.ask(self.case, answer), self.evidence.answer)

        return self._with_cause_unless_named(part_by_part(explain_part, self.result, self.told))

    def explain_property(self, test: Property) -> Diagnosis | None:
        result = tuple(map(as_numpy, self.result)) if isinstance(self.result, (tuple, list)) else as_numpy(self.result)
        return self._with_cause_unless_named(test(result, self.evidence))

    def explain_difference(self) -> Diagnosis | None:
        return self._with_cause(part_by_part(explain_difference, self.result, self.told), NUMBERS)

    def explain_changed_input(self) -> Diagnosis | None:
        for before, after in zip(self.case.arguments, self.given):
            if not is_same(before, after):
                what = "values" if getattr(before, "shape", None) == getattr(after, "shape", None) else "shape"
                return Diagnosis(
                    f"the call changed the {what} of its input",
                    "the input as it was",
                    explain_write(self.evidence, self.case)
                    or Cause(
                        "changed_input.in_place",
                        "an in-place operation on the argument: `-=`, `/=`, `[...] =`, `append`, `pop`, `sort`, or a torch method that ends in `_`",
                        "make a new array, for example `shifted = scores - largest` instead of `scores -= largest`",
                    ),
                )
        return None

    def _with_cause(self, found: Diagnosis | None, trouble: Trouble) -> Diagnosis | None:
        """What was found, with its cause where one is established."""
        if found is None:
            return None
        return explain(self.evidence, self.case, VERDICTS if self.evidence.exercise.is_yes_or_no else trouble, found)

    def _with_cause_unless_named(self, found: Diagnosis | None) -> Diagnosis | None:
        """The same; what names a cause already gives way to few others."""
        return self._with_cause(found, NAMED if found and found.cause.is_established else NUMBERS)


def _explain_large_shape(result: Any, case: Case) -> Diagnosis | None:
    if not case.shape or kind_of(result) != kind_of(case.expected) or np.shape(as_numpy(result)) == case.shape:
        return None  # another kind is told as it is
    return Diagnosis(
        f"shape {np.shape(as_numpy(result))}",
        f"shape {case.shape}",
        unknown("examine.wrong_large_shape", "try such an input in a cell of your own, and print every shape"),
    )


_NOT_GOING_ON = Diagnosis(
    "a line that raises NotImplementedError is still there",
    "your code in its place",
    Cause(
        "examine.part_not_written",
        "this part is not written yet, and that is fine: what has a ✓ above stands already",
        "write the next method; *Pseudocode* in the card says what it does",
    ),
    is_open=True,
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
            "examine.name_overwritten",
            "a later cell gave the name another meaning, or the call's result was stored under it",
            "run the cell that defines it again, and give results a name of their own",
        ),
    )
