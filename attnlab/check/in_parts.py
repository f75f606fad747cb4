"""Part of the points for the parts of an answer that work.

A test cell stops at the first thing that is wrong, and is worth nothing then. In an exercise of four points or more, its hidden tests say
instead which parts there are and what each one is worth. The cell then ends with a number of points, which is nbgrader's partial credit:

    from attnlab import check
    check = check.in_parts("softmax", {"values": 2, "any axis": 1, "long vectors": 1})
    check.softmax(softmax)
    with check.part("values"):
        assert ...
    with check.part("any axis"):
        assert ...
    with check.part("long vectors"):
        assert ...
    check.points()

The first line and the visible check are all that learners see; the rest stands between nbgrader's markers of hidden tests.

What `points` returns or raises has the attribute `cause`, by which a grader counts what a class got wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from attnlab import check
from attnlab.diagnosis import grading
from attnlab.diagnosis.cause import Cause, Certainty, CheckFailed, wrapped


class Unexplained(str):
    """What a hidden test says that found other numbers than it wanted, and does not know why: `assert ..., Unexplained("the weights differ")`."""

    @property
    def cause(self) -> Cause:
        """A cause that is not known."""
        return Cause("hidden_test.unexplained", str(self), "", Certainty.UNKNOWN)


class Points(float):
    """A part of the points, and the cause for which the rest is lost."""

    cause: Cause | None = None


class NoPoints(AssertionError):
    """No part works. Its text is the whole report."""

    def __init__(self, report: str, cause: Cause | None):
        self.cause = cause
        super().__init__(report)


def in_parts(exercise: str, parts: Mapping[str, float]) -> Parts:
    """What stands for `check` in the test cell of an exercise that is graded in parts.

    Args:
        exercise: its name; its visible check, when it fails, no longer stops the cell.
        parts: what each part is worth, in the order in which they are told.
    """
    return Parts(exercise, parts)


class Parts:
    """Notes which parts of an answer work. Everything else that it is asked for is `attnlab.check`'s own."""

    def __init__(self, exercise: str, parts: Mapping[str, float]):
        self._exercise, self._parts = exercise, dict(parts)
        self._faults: dict[str, str] = {}  # for each part that was tried, what is wrong, or ""
        self._seen = "the visible check was not called"
        self._seen_cause: Cause | None = None
        self._causes: list[Cause] = []  # of the parts that do not work

    def __getattr__(self, name: str) -> Any:
        if name != self._exercise:
            return getattr(check, name)

        def noting(answer: Any) -> None:
            try:
                getattr(check, name)(answer)
                self._seen = ""
            except Exception as error:
                _pass_on_what_is_nobodys(error)
                self._seen = str(error) or type(error).__name__
                self._seen_cause = error.cause if isinstance(error, CheckFailed) else None

        return noting

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """The tests of one part: when one of them does not hold, this part is lost and the cell goes on behind it.

        Raises:
            ValueError: there is no such part, or it has been tested already.
        """
        if name not in self._parts or name in self._faults:
            raise ValueError(f"{self._exercise} has the parts {', '.join(self._parts)}, each tested once; {name!r} is none that is left")
        self._faults[name] = ""
        try:
            yield
        except Exception as error:
            _pass_on_what_is_nobodys(error)
            self._faults[name] = _sentence(error)
            self._causes.append(error.cause if isinstance(error, CheckFailed) else _cause_of(f"{self._exercise}.{name}", self._faults[name], error))

    def points(self) -> float | None:
        """Print which parts work; return the points, or None for all of them, so that a cell without fault ends like any other.

        An answer that its visible check refuses loses a point at least, the smallest part's. The cause is what that check says, or else
        what the first part says that does not work.

        Raises:
            NoPoints: no part works; the text says why.
            ValueError: a part was not tested.
        """
        if untested := [name for name in self._parts if name not in self._faults]:
            raise ValueError(f"{self._exercise}: no test of {', '.join(untested)}")
        total = sum(self._parts.values())
        earned = sum(worth for name, worth in self._parts.items() if not self._faults[name])
        if self._seen:
            earned = min(earned, total - min(self._parts.values()))
        if earned == total:
            return None
        report = "\n".join(self._report(earned, total))
        cause = self._seen_cause or next(iter(self._causes), None)
        if not earned:
            raise NoPoints(report, cause)
        print(report)
        points = Points(earned)
        points.cause = cause
        return points

    def _report(self, earned: float, total: float) -> Iterator[str]:
        yield f"{self._exercise}: {earned:g} of {total:g} points"
        widest = max(map(len, self._parts))
        for name, worth in self._parts.items():
            fault = self._faults[name]
            text = f"{'✗' if fault else '✓'} {name:<{widest}}  {0 if fault else worth:g} of {worth:g}{f'  {fault}' if fault else ''}"
            yield from wrapped(text, first="  ", then=" " * 6)
        if self._seen:
            yield "What the check in the notebook says:"
            yield self._seen


def _pass_on_what_is_nobodys(error: Exception) -> None:
    """Raise on what a grader says of itself or of the test cell: it is no fault of the answer."""
    if grading.is_nobodys(error):
        raise error


def _sentence(error: Exception) -> str:
    """What a hidden test says. The text of any other exception may quote the data of the test, so it is left out."""
    if isinstance(error, CheckFailed):
        return error.diagnosis.observed
    if grading.is_explained(error) or isinstance(error, AssertionError):
        return str(error).strip() or "a hidden test fails"
    return f"your code raises {type(error).__name__} on the data of a hidden test"


def _cause_of(id: str, sentence: str, error: Exception) -> Cause:
    """A cause of what a hidden test says. It is not known where the test says so, or says nothing."""
    is_silent = isinstance(error, AssertionError) and not str(error).strip()
    is_unexplained = any(isinstance(said, Unexplained) for said in error.args)
    return Cause(id, sentence, "", Certainty.UNKNOWN if is_silent or is_unexplained else Certainty.ESTABLISHED)
