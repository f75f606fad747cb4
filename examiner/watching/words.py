"""What a watcher says."""

from __future__ import annotations

import contextlib
from datetime import datetime

from examiner.classroom.course import Course
from examiner.report.plain import NAME, shown
from examiner.watching.sight import Place
from examiner.wire.errors import CannotGrade, ExaminerError

FIRST_PAUSE, LONGEST_PAUSE = 5.0, 300.0  # seconds before something of ours is tried again


def now() -> str:
    """The time of day that a line begins with."""
    return datetime.now().strftime("%H:%M:%S")


def name(place: Place) -> str:
    """A student and an assignment, for a line."""
    return "  ".join(shown(part, NAME) for part in place)


def points(course: Course, place: Place) -> str:
    """What the gradebook has for a hand-in that was graded."""
    with contextlib.suppress(CannotGrade), course.gradebook() as gradebook:  # the points are there, although they cannot be read now
        submission = gradebook.find_submission(place[1], place[0])
        grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
        by_hand = sum(grade.auto_score is None and grade.manual_score is None for grade in grades)
        return f"{submission.score:g} of {submission.max_score:g}" + (f", {by_hand} to grade by hand" if by_hand else "")
    return "graded"


def sentence(error: BaseException) -> str:
    """What stopped a round."""
    if isinstance(error, CannotGrade):
        return str(error)
    text = (str(error).strip().splitlines() or [""])[0].rstrip(".")
    return f"{text}." if isinstance(error, ExaminerError) else f"{type(error).__name__}: {text}."


def later(tries: int) -> float:
    """How long to wait after so many tries in vain: each time longer."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(tries, 10))
