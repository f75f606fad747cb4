"""How requests for a second look stand: the points that the gradebook has now, and the figures of the report."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import nbformat

from nbjudge._common.settings import Report
from nbjudge._course.course import Course
from nbjudge._nbgrader.regrades import About, Regrade, regrades, version_of
from nbjudge._report.gradebook import Book, Graded, read_book
from nbjudge._report.model import Question, SecondLooks, SecondLooksOf

CLOSE = 1e-9


class Standing:
    """What the gradebook holds of the questions that requests are about."""

    def __init__(self, course: Course, book: Book):
        self._course, self._people = course, book.people
        self._graded: Mapping[tuple[str, str], Graded] = {(one.student, one.assignment): one for one in book.submissions}
        self._questions = {(one.assignment, one.notebook, one.name): one for some in book.questions.values() for one in some}
        self._versions: dict[tuple[str, str, str], str] = {}

    def knows(self, about: About) -> bool:
        """Whether the student has this question in the gradebook."""
        graded = self._graded.get((about.student, about.assignment))
        return self.question(about) is not None and graded is not None and (about.notebook, about.question) in graded.marks

    def question(self, about: About) -> Question | None:
        """The question, as long as the course has it."""
        return self._questions.get((about.assignment, about.notebook, about.question))

    def points(self, about: About) -> float | None:
        """The points now; None where nobody has graded it."""
        graded = self._graded.get((about.student, about.assignment))
        marks = graded.marks.get((about.notebook, about.question)) if graded else None
        return marks.points if marks else None

    def most(self, about: About) -> float:
        """The points that can be had."""
        question = self.question(about)
        return question.most if question else 0.0

    def address(self, student: str) -> str:
        """The student's e-mail address; "" where the gradebook has none."""
        return self._people.get(student, ("", "", ""))[2] or ""

    def version(self, about: About) -> str:
        """The version of what is graded now; "" where that cannot be read."""
        key = about.student, about.assignment, about.notebook
        if key not in self._versions:
            path = self._course.folder("autograded") / about.student / about.assignment / f"{about.notebook}.ipynb"
            try:
                self._versions[key] = version_of(nbformat.read(path, as_version=4))
            except (OSError, ValueError, AttributeError, KeyError, nbformat.ValidationError):
                self._versions[key] = ""
        return self._versions[key]

    def has_changed(self, one: Regrade) -> bool:
        """Whether the points are others than when the request came in."""
        now = self.points(one.about)
        return (now is None) != (one.before is None) or (now is not None and one.before is not None and abs(now - one.before) > CLOSE)

    def state(self, one: Regrade) -> str:
        """In words: open or answered, and whether the points have changed since it came in."""
        changed = ", points changed" if self.has_changed(one) else ""
        return f"{'open' if one.is_open else 'answered'}{changed}"


def stands(course: Course) -> Standing:
    """How things stand now.

    Raises:
        CannotGrade: there is no gradebook, or it cannot be read.
    """
    return Standing(course, read_book(course, Report.of(course.config).ending))


def figures(course: Course, book: Book) -> SecondLooks | None:
    """What a report tells of requests; None where nobody has asked."""
    every = regrades(course.root)
    if not every:
        return None
    standing, by_question = Standing(course, book), dict[tuple[str, str, str], list[Regrade]]()
    for one in every:
        by_question.setdefault((one.about.assignment, one.about.notebook, one.about.question), []).append(one)
    rows = [_row(standing, key, some) for key, some in by_question.items()]
    oldest: datetime | None = min((one.asked for one in every if one.is_open), default=None)
    return SecondLooks(tuple(sorted(rows, key=lambda row: (-row.open, -row.asked, row.question.assignment))), oldest)


def _row(standing: Standing, key: tuple[str, str, str], some: list[Regrade]) -> SecondLooksOf:
    question = standing.question(some[0].about) or Question(*key, key[2], some[0].most)
    changed = sum(standing.has_changed(one) for one in some)
    return SecondLooksOf(question, len(some), changed, sum(one.is_open for one in some))
