"""A small change of the answer's own lines, or two, with which every input comes out right: it says where the slip is, and what it is.

Changes of common kinds are tried one after the other, in a copy of the answer; then those that bring the numbers nearest, each with a second one.
No right answer is needed for that, and what is told has been seen: with this, all that the check tries is right.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import io
import itertools
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy, deep_copy
from attnlab.diagnosis.cause import Cause, unknown
from attnlab.diagnosis.drawn import kinds_among
from attnlab.diagnosis.evidence import Evidence, parts_of
from attnlab.diagnosis.exercise import Test
from attnlab.diagnosis.results.form import explain_type, is_same, part_by_part, same_value
from attnlab.diagnosis.slips.change import COMPARE, LIBRARIES, Change, held_at, in_place_of, located, places_in, short
from attnlab.diagnosis.slips.changes import changes
from attnlab.diagnosis.text.expressions import called
from attnlab.diagnosis.text.operations import Cell, Operation, Operations
from attnlab.reference import Case, sample

BEGIN = "begin there: which step of the card is it? Other parts are not right with that alone"
# What is left out: a test that says yes or no may come out right without it, by other roads.
AS_OFTEN_RIGHT = {"branch", "always", "without_line", "block"}
NOTHING, INPUT, PART, ALL = range(4)  # what a change mends: the input at which something was wrong, all of its part, all of the check
LEAST, LEFT = 6, 0.3  # inputs that have to be wrong, and what part of them a change may leave so
SECONDS = 2.0  # of the processor, from the first change to the last, in all parts of an exercise together; for pairs of changes, as much again
ELEMENTWISE = {"add", "subtract", "multiply", "divide"}
MOST_FIRST = 10  # changes that leave the numbers nearest are tried with a second one


def explain_repair(evidence: Evidence, case: Case, test: Test | None = None) -> Cause | None:
    """The first change of one place in the answer with which all is right; None where none is found in time, or the text is not to be had.

    Args:
        evidence: what the answer gives.
        case: the input at which something is wrong.
        test: what makes several calls, where it is these that do not go together.
    """
    label = next((label for label, one in evidence.exercise.edges.items() if one is test), case.label)
    return evidence.once(f"repair for {label}", lambda: _search(evidence, case, label, test))


def _search(evidence: Evidence, case: Case, label: str, test: Test | None) -> Cause | None:
    if not (trial := _trial(evidence, case, label, test)):
        return None
    tree = trial.tree
    of_part = part = None
    kept: dict[float, Change] = {}  # by how far off they leave the numbers: changes that do the same are one
    for change in changes(tree):
        if trial.is_over():
            break
        if evidence.exercise.is_yes_or_no and change.kind in AS_OFTEN_RIGHT:
            continue
        with change:
            mends = trial.mends()
            mended = trial.mended() if mends == INPUT else ""
            joined = trial.joined() if mends >= PART else ""
        if trial.off < np.inf and trial.off != trial.off_before:
            kept.setdefault(round(trial.off, 9), change)
        why = change.why or (trial.joined() if mends >= PART and not joined else "")
        if mends == ALL:
            return Cause(f"repair.{change.kind}", _with(f"{change.told()}, all inputs here come out right", why), change.next)
        if mends == PART and not of_part:
            of_part = Cause(f"repair.{change.kind}", _with(f"{change.told()}, all inputs of this part come out right", why), BEGIN)
        if mended and not part:
            part = unknown(f"repair.part.{change.kind}", change.next, f"{change.told()}, {mended} come out right, and the others do not")
    return of_part or (None if test else _pair(trial, tree, [kept[off] for off in sorted(kept)[:MOST_FIRST]])) or part


def _trial(evidence: Evidence, case: Case, label: str, test: Test | None = None) -> _Trial | None:
    """A copy of the answer to be changed; None where changes cannot be tried."""
    if evidence.exercise.seconds is not None:  # calls that take long
        return None
    cell = Cell.of(evidence.answer)
    return _Trial(evidence, case, label, test, cell) if cell else None


def explain_squeeze(evidence: Evidence, case: Case) -> Cause | None:
    """A `squeeze` without an axis that takes an axis too many: with one named, or without it, the inputs come out right."""
    shapes = [[tuple(one.shape) for one in parts_of(value) if hasattr(one, "shape")] for value in (evidence.result(case), case.expected)]
    if not any(len(got) < len(wanted) for got, wanted in zip(*shapes)) or not (trial := _trial(evidence, case, case.label)):
        return None
    if named := trial.squeezed():
        return named
    found = [place for _, place in places_in(trial.tree) if called(held_at(place)) == "squeeze"]
    node = held_at(found[0]) if len(found) == 1 else None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.keywords:
        return None
    is_method = ast.unparse(node.func.value) not in LIBRARIES
    if len(node.args) != (0 if is_method else 1):
        return None
    squeezed = node.func.value if is_method else node.args[0]
    words = f"`{short(node)}` in line {node.lineno} removes every axis of length 1"
    changed = [(squeezed, "without it", "leave it out: the axes that are there are those of the card")]
    for axis in (-1, -2, -3, 0, 1, 2):
        new = ast.Call(node.func, [*node.args, ast.Constant(axis)], [])
        changed.append((new, "with one axis named", "name the axis that has to go: `squeeze(...)` with its number"))
    for new, told, step in changed:
        with Change("squeeze", [(found[0], located(new, node))]):
            mends = trial.mends()
        if mends in (PART, ALL):
            return Cause(
                "repairs.squeeze_without_axis", f"{words}: {told}, all inputs {'here' if mends == ALL else 'of this part'} come out right", step
            )
    return None


def _with(words: str, why: str) -> str:
    return f"{words}: {why}" if why else words


def _pair(trial: _Trial, tree: ast.Module, firsts: list[Change]) -> Cause | None:
    """Two changes with which all is right, where one is not enough: two slips that have nothing to do with each other."""
    trial.begin_again()
    for first in firsts:
        words = first.told()
        with first:
            second = _second(trial, tree, first)
            more, line = (second.told(), _line_of(tree, first, second)) if second else ("", None)
        if second and line:  # the second one may change what the learner has not written
            before = ast.unparse(line)
            with first, second:
                words = in_place_of(ast.unparse(line), before, line.lineno)
            return Cause(f"repair.two.{first.kind}.{second.kind}", f"{words}, all inputs here come out right", COMPARE)
        if second:
            both = f"{words}, and {more}, all inputs here come out right"
            return Cause(f"repair.two.{first.kind}.{second.kind}", both, f"begin with the first of these two: {first.next}")
        if trial.is_over():
            break
    return None


def _second(trial: _Trial, tree: ast.Module, first: Change) -> Change | None:
    """The change with which all is right once the first is made; None where none is found in time."""
    wrong = trial.first_wrong()
    for second in changes(tree) if wrong else ():
        if trial.is_over():
            return None
        if second.undoes(first):
            continue
        with second:
            mends_all = trial.gives(wrong) and trial.mends() == ALL
        if mends_all:
            return second
    return None


def _line_of(tree: ast.Module, first: Change, second: Change) -> ast.stmt | None:
    """The line that has both changes, of which the first is made; None where they stand apart, or have words of their own."""
    parts = [first.sets[0][1], held_at(second.sets[0][0])]
    if first.words or second.words or any(isinstance(part, ast.stmt) for part in parts):
        return None
    lines = (node for node in ast.walk(tree) if isinstance(node, (ast.Assign, ast.AugAssign, ast.Return, ast.Expr)))
    return next((line for line in lines if {id(part) for part in parts} <= {id(node) for node in ast.walk(line)}), None)


class _Trial:
    """The answer as its changed tree says, on the inputs of its check."""

    def __init__(self, evidence: Evidence, case: Case, label: str, test: Test | None, cell: Cell):
        self._evidence, self._case, self._label, self._test, self._cell = evidence, case, label, test, cell
        self.tree = cell.tree
        self._asked = self._labels()
        self._end = evidence.once("end of repairs", lambda: time.thread_time() + SECONDS)
        self.off = self.off_before = _off(evidence.result(case), case)

    def is_over(self) -> bool:
        """Whether the time is up."""
        return time.thread_time() > self._end

    def begin_again(self) -> None:
        """From now on, there is time for pairs of changes."""
        self._end = self._evidence.once("end of pairs of repairs", lambda: time.thread_time() + SECONDS)

    def first_wrong(self) -> Case | None:
        """The first input that does not come out right."""
        try:
            with _quietly():
                answer = self._cell.answer()
                return next((one for one in (self._case, *self._others(), *self._of_other_parts()) if not self._is_given(answer, one)), None)
        except Exception:  # most changes break the code
            return None

    def gives(self, case: Case) -> bool:
        """Whether one input comes out right."""
        try:
            with _quietly():
                return self._gives(self._cell.answer(), case)
        except Exception:  # most changes break the code
            return False

    def mends(self) -> int:
        """What comes out right; of a test of several calls, there is nothing between `NOTHING` and `PART`."""
        evidence, less = self._evidence, NOTHING
        self.off = np.inf
        try:
            with _quietly():
                answer = self._cell.answer()
                changed = Evidence(evidence.name, evidence.exercise, answer, evidence.cases, evidence.passes)
                if self._test(changed) if self._test else not self._gives(answer, self._case):
                    return NOTHING
                less = NOTHING if self._test else INPUT
                edges = evidence.exercise.edges.items()
                if not all(self._gives(answer, one) for one in self._others()):
                    return less
                if any(test(changed) for label, test in edges if self._is_asked(label)):
                    return less
                left = [one for one in self._of_other_parts() if not self._is_given(answer, one)]
                if any(map(evidence.is_right, left)):
                    return less
                failing = [label for label, test in edges if not self._is_asked(label) and test(changed)]
                if any(map(self._passes_now, failing)):
                    return less
                return PART if left or failing else ALL
        except Exception:  # most changes break the code
            return less

    def mended(self) -> str:
        """How much a change mends that does not mend everything, in words; "" where that is little, or where it breaks something."""
        others = list(self._others())
        wrong = {case.label for case in others if not self._evidence.is_right(case)}
        if len(wrong) < LEAST:
            return ""
        try:
            with _quietly():
                answer, left = self._cell.answer(), 0
                for case in others:
                    if not self._is_given(answer, case):
                        left += 1
                        if case.label not in wrong or left > len(wrong) * LEFT:
                            return ""
        except Exception:  # most changes break the code
            return ""
        return f"{len(wrong) - left} of {len(wrong)} inputs that were wrong"

    def joined(self) -> str:
        """The line where a column and numbers without that axis make a table, in words; "" where none does."""
        for one in self._operations():
            shapes = [tuple(given.shape) for given in one.given if hasattr(given, "shape")]
            if one.name not in ELEMENTWISE or len(shapes) != 2 or len(one.given) != 2:
                continue
            flat, column = sorted(shapes, key=len)
            if len(flat) == 1 and len(column) == 2 and flat[0] > 1 and column[0] > 1 == column[1]:
                first, second = shapes
                return f"`{short(one.node)}` in line {one.node.lineno} gets shapes {first} and {second}, and makes {tuple(one.result.shape)} of them"
        return ""

    def squeezed(self) -> Cause | None:
        """A `squeeze` that is told its axis, and takes one that has length 1 by chance: the result has its shape, without that axis."""
        shapes = [tuple(getattr(value, "shape", ())) for value in (self._case.expected, self._evidence.result(self._case))]
        for one in self._operations():
            if not isinstance(one.node, ast.Call) or called(one.node) != "squeeze" or (len(one.given) < 2 and not one.node.keywords):
                continue
            if [tuple(getattr(value, "shape", ())) for value in (one.given[0], one.result)] == shapes:
                return Cause(
                    "repairs.squeeze_by_chance",
                    f"`{one.text}` in line {one.node.lineno} takes away an axis that has length 1 for this input, and belongs to the result",
                    "take away only an axis that your own lines have put there, whatever its length is",
                )
        return None

    def _operations(self) -> list[Operation]:
        """What the answer does for the input at which something is wrong."""
        return Operations(self._cell, functools.partial(self._evidence.ask, self._case)).done

    def _is_given(self, answer: Any, case: Case) -> bool:
        try:
            return self._gives(answer, case)
        except Exception:  # for another input, the changed answer may be wrong in another way
            return False

    def _gives(self, answer: Any, case: Case) -> bool:
        if self.is_over():
            return False
        given = deep_copy(case.arguments)
        result = self._evidence.exercise.call(answer, *given)
        if case.shape:
            result = sample(result, case.shape)
        if case is self._case:
            self.off = _off(result, case)
        return (
            same_value(result, case.expected, case)
            and part_by_part(lambda part, one: explain_type(part, one.expected), result, case) is None
            and all(map(is_same, case.arguments, given))
        )

    def _labels(self) -> list[str] | None:
        """What belongs to the part at which something was wrong, and to those before it; None where the exercise has no parts."""
        stages = list(self._evidence.exercise.stages.values())
        drawn = next((kind for kind, cases in self._evidence.drawn.items() if any(case.label == self._label for case in cases)), None)
        for number, labels in enumerate(stages):
            if self._label in labels or (drawn and kinds_among([drawn], labels)):
                return [label for labels in stages[: number + 1] for label in labels]
        return None

    def _others(self) -> Iterator[Case]:
        yield from (case for case in self._evidence.cases if self._is_asked(case.label))
        kinds = None if self._asked is None else kinds_among(self._evidence.drawn, self._asked)
        yield from (case for kind, cases in self._evidence.drawn.items() if kinds is None or kind in kinds for case in cases)

    def _passes_now(self, label: str) -> bool:
        """Whether the answer as it is passes a test of several calls."""
        return self._evidence.once(f"passes {label}", lambda: self._evidence.exercise.edges[label](self._evidence) is None)

    def _of_other_parts(self) -> Iterator[Case]:
        """The inputs of the parts behind: what is right there has to stay so."""
        asked = {case.label for case in self._others()}
        yield from (case for case in (*self._evidence.cases, *itertools.chain(*self._evidence.drawn.values())) if case.label not in asked)

    def _is_asked(self, label: str) -> bool:
        return self._asked is None or label in self._asked


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """What the changed answer prints, and warns of, is not shown."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(action="ignore"):
        yield


def _off(result: Any, case: Case) -> float:
    """How far off a result is, in parts of the numbers that are expected; infinite where it has another form or is not finite."""
    got, wanted = parts_of(result), parts_of(case.expected)
    if len(got) != len(wanted):
        return np.inf
    off = 0.0
    for one, other in zip(got, wanted):
        try:
            numbers, expected = as_numpy(one).astype(float), as_numpy(other).astype(float)
        except (TypeError, ValueError, AttributeError):
            return np.inf
        if numbers.shape != expected.shape or not np.isfinite(numbers).all():
            return np.inf
        off += float(np.abs(numbers - expected).sum() / max(np.abs(expected).sum(), 1e-12))
    return off
