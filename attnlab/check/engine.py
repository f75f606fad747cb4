"""The levels that every visible check climbs; it stops at the first that fails."""

from __future__ import annotations

import copy
import linecache
import textwrap
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.check import calls, session
from attnlab.check.compare import explain_difference
from attnlab.check.diagnosis import WIDTH, CheckFailed, Diagnosis
from attnlab.check.kinds import as_numpy, explain_shape, explain_type
from attnlab.check.parts import explain_form, part_by_part
from attnlab.reference import Case

OWN_FOLDER = str(Path(__file__).parent)
Property = Callable[[np.ndarray], Diagnosis | None]
_SHAPES = "two arrays whose axes do not line up: in a product, the inner axes must have the same length"
_SHAPE_WORDS = ("shapes", "matmul", "mat1 and mat2", "broadcast", "size of tensor", "core dimension", "cannot reshape")
_OVERFLOW = ("an exponential of a large number overflowed, or numbers were divided by a sum that is zero",
             "subtract the largest of the scores that share one sum, before `exp`; the softmax is the same without the overflow")
Step = tuple[str, Callable[[], Diagnosis | None]]


def examine(
    exercise: str,
    answer: Any,
    properties: dict[str, Property] | None = None,
    edges: dict[str, Callable[[], Diagnosis | None]] | None = None,
) -> None:
    """Check an answer level by level and print one line when all hold.

    Args:
        exercise: the exercise's name, as in `attnlab/data`.
        answer: what the learner wrote: a function or a class.
        properties: named tests of the result for the lesson's own example, for instance its row sums; a result that
            is a tuple comes as a tuple of arrays.
        edges: named tests after the reference, each with its own calls.

    Raises:
        CheckFailed: at the first level that fails, with a diagnosis.
    """
    session.started(exercise)
    cases = reference.cases(exercise)
    call = calls.of(exercise)
    attempt = _Attempt(answer, call, cases[0])
    steps: list[Step] = [
        ("written", lambda: _written(answer)),
        ("runs", attempt.run),
        ("type", attempt.explain_type),
        ("shape", lambda: attempt.each_part(explain_shape)),
        ("finite", lambda: attempt.each_part(_finite)),
        *((name, lambda test=test: test(attempt.numbers())) for name, test in (properties or {}).items()),
        ("reference", lambda: attempt.each_part(explain_difference)),
        ("input unchanged", attempt.explain_changed_input),
        *((case.label, lambda case=case: _Attempt(answer, call, case).explain()) for case in _new_in_later(cases)),
        *(edges or {}).items(),
    ]
    for number, (name, test) in enumerate(steps, start=1):
        diagnosis = test()
        if diagnosis is _NOT_WRITTEN:
            session.untouched(exercise)
            raise CheckFailed(f"{exercise}: not started yet", diagnosis)
        if diagnosis:
            raise CheckFailed(f"{exercise}, step {number} of {len(steps)}: {name}", diagnosis)
    session.passed(exercise)
    passed = f"✓ {exercise}: all {len(steps)} steps pass ({', '.join(name for name, _ in steps)})"
    print(textwrap.fill(passed, WIDTH, subsequent_indent="  "))


class _Attempt:
    """One call of the answer, with what went in and what came out."""

    def __init__(self, answer: Any, call: Callable[..., Any], case: Case):
        self.answer, self.call, self.case = answer, call, case
        self.given = copy.deepcopy(case.arguments)
        self.result: Any = None

    def run(self) -> Diagnosis | None:
        try:
            self.result = self.call(self.answer, *self.given)
        except Exception as error:  # whatever a learner's code raises is what has to be explained
            return explain_error(error)
        return None

    def explain(self) -> Diagnosis | None:
        """All levels at once, for the cases after the first."""
        return (self._run_with_other_sizes() or self.explain_type() or self.each_part(explain_shape) or self.each_part(_finite)
                or self.each_part(explain_difference) or self.explain_changed_input())

    def _run_with_other_sizes(self) -> Diagnosis | None:
        found = self.run()
        if found and found.likely == _SHAPES:
            return replace(found, likely="this input has other sizes than the example, so a size or an array comes from the notebook "
                                         "instead of from the arguments", next="use nothing in the function but its arguments")
        return found

    def explain_type(self) -> Diagnosis | None:
        return explain_form(self.result, self.case) or self.each_part(lambda result, case: explain_type(result, case.expected))

    def each_part(self, explain: Callable[[Any, Case], Diagnosis | None]) -> Diagnosis | None:
        return part_by_part(explain, self.result, self.case)

    def numbers(self) -> Any:
        """The result as an array, or as a tuple of arrays."""
        return tuple(map(as_numpy, self.result)) if isinstance(self.result, (tuple, list)) else as_numpy(self.result)

    def explain_changed_input(self) -> Diagnosis | None:
        for before, after in zip(self.case.arguments, self.given):
            if not _same(before, after):
                return Diagnosis(
                    "after the call, the array that was passed in has other values",
                    "the input is left as it was; whoever called you still needs it",
                    "an in-place operation on the argument: `-=`, `/=`, `[...] =`, or a torch method that ends in `_`",
                    "make a new array, for example `shifted = scores - largest` instead of `scores -= largest`")
        return None


def _new_in_later(cases: list[Case]) -> list[Case]:
    """The cases after the first, without the mistakes that the first would have shown already."""
    excluded = {mistake.name for mistake in cases[0].mistakes}
    return [replace(case, mistakes=[mistake for mistake in case.mistakes if mistake.name not in excluded]) for case in cases[1:]]


def explain_error(error: Exception) -> Diagnosis:
    """What an exception inside the learner's code says to its author.

    A grader that makes the call from elsewhere may raise an exception of its own about it, with a text for the learner and the
    attribute `is_explained`; that one is raised on as it is.
    """
    if getattr(error, "is_explained", False):
        raise error
    if isinstance(error, CheckFailed):  # a step of the call has its own words
        return error.diagnosis
    if isinstance(error, NotImplementedError):
        return _NOT_WRITTEN
    likely = "the message above names it; read the line from the inside out and print the shapes in it"
    if isinstance(error, NameError):
        likely = "a name that is misspelt, or that another cell defines and this session has not run"
    elif "only 0-dimensional arrays" in str(error):
        likely = "`float(...)` or `int(...)` of an array of shape (1, 1): take the one number out with `.item()` or `[0, 0]`"
    elif "Dimension out of range" in str(error) or ("axis" in str(error) and "out of bounds" in str(error)):
        likely = "an axis that the array does not have: count its axes from 0, or from the end with -1"
    elif any(words in str(error) for words in _SHAPE_WORDS):
        likely = _SHAPES
    return Diagnosis(f"your code raised {type(error).__name__}: {error}{_where(error)}", "a result, without an error",
                     likely, "mend that line; in a cell of your own, call your function on the example above it")


def _where(error: Exception) -> str:
    """The learner's own line, when the error came from it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if not frame.filename.startswith(OWN_FOLDER) and "site-packages" not in frame.filename]
    if not frames:
        return ""
    line = linecache.getline(frames[-1].filename, frames[-1].lineno).strip()
    return f", in line {frames[-1].lineno}: `{line}`" if line else ""


_NOT_WRITTEN = Diagnosis(
    "the cell above still holds the line that raises NotImplementedError",
    "your code in its place",
    "you have not started yet, and that is fine",
    "open *A nudge* in the card, write a first line, run the cell, then run this check again")


def _written(answer: Any) -> Diagnosis | None:
    if answer is None or answer is Ellipsis:
        return _NOT_WRITTEN
    if callable(answer):
        return None
    return Diagnosis(f"the name stands for {type(answer).__name__}, a value", "a function or class that can be called",
                     "a later cell gave the name another meaning, or the call's result was stored under it",
                     "run the cell that defines it again, and give results a name of their own")


def _finite(result: Any, case: Case) -> Diagnosis | None:
    array = as_numpy(result)
    if array.dtype.kind != "f" or np.isfinite(array).all():
        return None
    bad = int((~np.isfinite(array)).sum())
    likely, next_step = _OVERFLOW
    for mistake in case.mistakes:
        wrong = as_numpy(mistake.value)
        if wrong.dtype.kind == "f" and wrong.shape == array.shape and np.array_equal(np.isfinite(wrong), np.isfinite(array)):
            likely, next_step = mistake.likely, mistake.next
    return Diagnosis(f"{bad} of {array.size} entries are nan or inf", "finite numbers", likely, next_step)


def _same(before: Any, after: Any) -> bool:
    if isinstance(before, (list, tuple)):
        return len(before) == len(after) and all(map(_same, before, after))
    if isinstance(before, dict):
        return before.keys() == after.keys() and all(_same(before[key], after[key]) for key in before)
    if hasattr(before, "shape"):
        return before.shape == after.shape and np.array_equal(as_numpy(before), as_numpy(after))
    return before == after
