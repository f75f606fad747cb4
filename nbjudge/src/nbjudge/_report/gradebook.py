"""The whole gradebook, read at one moment and at once: nbgrader's own objects would ask the database ten times for each submission.

Nothing is written, and no gradebook is made where there is none.
"""

from __future__ import annotations

import contextlib
import math
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from nbgrader.api import (
    Assignment,
    Grade,
    GradeCell,
    Notebook,
    SolutionCell,
    SourceCell,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy import Connection, create_engine, select
from sqlalchemy.exc import SQLAlchemyError

from nbjudge._common.due_dates import Dates
from nbjudge._common.settings import in_words
from nbjudge._course.course import Course
from nbjudge._nbgrader.converters import explain
from nbjudge._nbgrader.database import has_no_tables
from nbjudge._report.item_statistics import LARGEST
from nbjudge._report.model import Points, Question, in_order
from nbjudge._wire.errors import CannotGrade

EMPTY = CannotGrade("there are no grades yet", "grade first, then run the same command again")
Key = tuple[str, str]  # notebook and grade id: a question within its assignment


@dataclass(frozen=True)
class Cell:
    """A cell of an assignment as it was released, with the hidden tests."""

    notebook: str
    name: str
    source: str
    is_code: bool
    is_solution: bool


@dataclass(frozen=True)
class Marks:
    """The points of one question. None is no points yet."""

    automatic: float | None
    by_hand: float | None
    extra: float = 0.0

    @property
    def points(self) -> float | None:
        """What counts, as nbgrader counts it; None while nobody has graded it, and for what is no number of points."""
        graded = self.by_hand if self.by_hand is not None else self.automatic
        points = None if graded is None else graded + self.extra
        return points if points is not None and abs(points) < LARGEST else None


@dataclass
class Graded:
    """One submission in the gradebook."""

    student: str
    assignment: str
    handed_in: datetime | None
    seconds_late: float
    penalty: float = 0.0
    marks: dict[Key, Marks] = field(default_factory=dict)

    def points(self, questions: list[Question]) -> Points:
        """The sum over the questions of the assignment. One of a notebook that was not handed in has 0 points."""
        held = [(self.marks.get((question.notebook, question.name), Marks(0.0, None)).points, question.most) for question in questions]
        return Points(
            math.fsum(points for points, _ in held if points is not None),
            math.fsum(most for points, most in held if points is not None),
            math.fsum(most for points, most in held if points is None),
            self.penalty,
        )


@dataclass
class Book:
    """A gradebook. `questions` has the assignments that somebody handed in, in the order of the course, each with its questions in order;
    `people` are names by id, `groups` those of the class list, `due` the dates of the assignments that have one, in UTC, and `dates` what a file of
    dates says, which counts more."""

    questions: dict[str, list[Question]]
    cells: dict[str, list[Cell]]
    people: dict[str, tuple[str, str, str]]  # first name, last name, e-mail
    submissions: list[Graded]
    due: dict[str, datetime] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)
    dates: Dates | None = None

    def due_at(self, assignment: str, student: str = "") -> datetime | None:
        """When an assignment is due, for a student or for all; None where nothing says so."""
        said = self.dates.due_at(assignment, student) if self.dates is not None else None
        return said or self.due.get(assignment)

    def is_due(self, assignment: str, student: str) -> bool:
        """Whether somebody had to hand an assignment in by now. Without a date nobody is told to have missed it."""
        at = self.due_at(assignment, student)
        return at is not None and at < datetime.now(UTC)


def with_class(book: Book, course: Course) -> Book:
    """A book with everybody of the class list, and with the dates of the course's file of dates.

    Raises:
        CannotGrade: a line of one of these files is wrong.
    """
    roster, dates = course.roster or (), course.dates
    listed = {person.student: (person.first_name, person.last_name, person.mail) for person in roster}
    people = book.people | {student: about for student, about in listed.items() if student not in book.people or any(about[:2])}
    groups = {person.student: person.group for person in roster if person.group}
    submissions = [replace(one, seconds_late=_seconds_beyond(dates, one)) for one in book.submissions]
    return replace(book, people=people, groups=groups, dates=dates, submissions=submissions)


def _seconds_beyond(dates: Dates | None, one: Graded) -> float:
    """How late a submission is by the file of dates, from the end of a grace period, or else by the gradebook."""
    due = dates.due_at(one.assignment, one.student) if dates is not None else None
    if dates is None or due is None or one.handed_in is None:
        return one.seconds_late
    rule = dates.rule(one.assignment)
    grace = rule.grace.total_seconds() if rule is not None else 0.0
    return max(0.0, (one.handed_in.replace(tzinfo=one.handed_in.tzinfo or UTC) - due).total_seconds() - grace)


def read_book(course: Course, ending: str = "") -> Book:
    """Everything that a report needs of the gradebook.

    Args:
        ending: an ending of grade ids that names do without.

    Raises:
        CannotGrade: there is none, nothing is graded, another program writes to it, or it is none of this nbgrader's.
    """
    if not course.has_gradebook:
        raise EMPTY
    try:
        with _connected(course.folders.db_url) as connection:
            book = _read(connection, course, ending)
    except (SQLAlchemyError, sqlite3.Error, ImportError) as error:
        if has_no_tables(error):
            raise EMPTY from error
        raise explain(
            [error],
            "the gradebook cannot be read",
            "look whether c.CourseDirectory.db_url names the right one; one of an older nbgrader needs `nbgrader db upgrade`",
        ) from error
    if not book.submissions:
        raise EMPTY
    return book


@contextlib.contextmanager
def _connected(url: str) -> Iterator[Connection]:
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            if engine.dialect.name == "postgresql":
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            if engine.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN")  # all that is read belongs to one moment, also while somebody grades
            yield connection
    finally:
        engine.dispose()


def _read(connection: Connection, course: Course, ending: str) -> Book:
    assignments = {row.id: row for row in connection.execute(select(Assignment.id, Assignment.name, Assignment.duedate))}
    notebooks = {
        row.id: (assignments[row.assignment_id].name, row.name)
        for row in connection.execute(select(Notebook.id, Notebook.name, Notebook.assignment_id).order_by(Notebook.name))
        if row.assignment_id in assignments
    }
    solutions = {(row.notebook_id, row.name) for row in connection.execute(select(SolutionCell.notebook_id, SolutionCell.name))}
    cells: dict[str, list[Cell]] = defaultdict(list)
    place: dict[tuple[str, str], int] = {}
    rows = connection.execute(select(SourceCell.name, SourceCell.source, SourceCell.cell_type, SourceCell.notebook_id)).all()
    for row in sorted(rows, key=lambda row: course.order.get((*notebooks.get(row.notebook_id, ("", "")), row.name), len(course.order))):
        if row.notebook_id in notebooks:
            assignment, notebook = notebooks[row.notebook_id]
            place[row.notebook_id, row.name] = len(place)
            is_solution = (row.notebook_id, row.name) in solutions
            cells[assignment].append(Cell(notebook, row.name, row.source or "", row.cell_type == "code", is_solution))
    questions, of_cell = _questions(connection, notebooks, place, solutions, lambda name: in_words(course.readable.get(name, name), ending))
    people = {
        row.id: (row.first_name or "", row.last_name or "", row.email or "")
        for row in connection.execute(select(Student.id, Student.first_name, Student.last_name, Student.email).order_by(Student.id))
    }
    submissions = _submissions(connection, assignments, of_cell)
    used = {submission.assignment for submission in submissions}
    due = {row.name: row.duedate.replace(tzinfo=row.duedate.tzinfo or UTC) for row in assignments.values() if row.duedate is not None}
    return Book({name: questions.get(name, []) for name in sorted(used, key=in_order)}, dict(cells), people, submissions, due)


def _questions(
    connection: Connection,
    notebooks: dict[str, tuple[str, str]],
    place: dict[tuple[str, str], int],
    solutions: set[tuple[str, str]],
    words: Callable[[str], str],
) -> tuple[dict[str, list[Question]], dict[str, Key]]:
    """The questions of each assignment in the order of its notebooks, and which of them each cell of the database is."""
    found: dict[str, list[tuple[tuple[str, int], Question]]] = defaultdict(list)
    of_cell: dict[str, Key] = {}
    graded = connection.execute(select(GradeCell.id, GradeCell.name, GradeCell.notebook_id, GradeCell.max_score, GradeCell.cell_type)).all()
    tasks = connection.execute(select(TaskCell.id, TaskCell.name, TaskCell.notebook_id, TaskCell.max_score)).all()
    for row in (*graded, *tasks):
        if row.notebook_id not in notebooks:
            continue
        assignment, notebook = notebooks[row.notebook_id]
        kind = (
            "task"
            if not hasattr(row, "cell_type")
            else "test"
            if (row.notebook_id, row.name) not in solutions
            else ("written answer" if row.cell_type == "markdown" else "code")
        )
        question = Question(assignment, notebook, row.name, words(row.name), float(row.max_score), kind)
        found[assignment].append(((notebook, place.get((row.notebook_id, row.name), len(place))), question))
        of_cell[row.id] = notebook, row.name
    return {name: [question for _, question in sorted(pairs, key=lambda pair: pair[0])] for name, pairs in found.items()}, of_cell


def _submissions(connection: Connection, assignments: dict[str, Any], of_cell: dict[str, Key]) -> list[Graded]:
    found: dict[str, Graded] = {}
    for row in connection.execute(
        select(
            SubmittedAssignment.id,
            SubmittedAssignment.assignment_id,
            SubmittedAssignment.student_id,
            SubmittedAssignment.timestamp,
            SubmittedAssignment.extension,
        )
    ):
        if row.assignment_id in assignments:
            about = assignments[row.assignment_id]
            found[row.id] = Graded(row.student_id, about.name, row.timestamp, _seconds_late(about.duedate, row.timestamp, row.extension))
    of_notebook: dict[str, Graded] = {}
    for row in connection.execute(select(SubmittedNotebook.id, SubmittedNotebook.assignment_id, SubmittedNotebook.late_submission_penalty)):
        if row.assignment_id in found:
            of_notebook[row.id] = found[row.assignment_id]
            of_notebook[row.id].penalty += row.late_submission_penalty or 0.0
    for row in connection.execute(select(Grade.notebook_id, Grade.cell_id, Grade.auto_score, Grade.manual_score, Grade.extra_credit)):
        if row.notebook_id in of_notebook and row.cell_id in of_cell:
            of_notebook[row.notebook_id].marks[of_cell[row.cell_id]] = Marks(row.auto_score, row.manual_score, row.extra_credit or 0.0)
    return sorted(found.values(), key=lambda one: (one.assignment, one.student))


def _seconds_late(due: datetime | None, handed_in: datetime | None, extension: Any) -> float:
    """As nbgrader has it."""
    if due is None or handed_in is None:
        return 0.0
    return max(0.0, (handed_in - due - extension if extension else handed_in - due).total_seconds())
