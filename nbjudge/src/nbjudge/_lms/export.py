"""Points in the forms that learning platforms import.

Canvas (Grades, Import), after its own importer and export: the columns `Student`, `ID`, `SIS User ID`, `SIS Login ID` and
`Section` come first and in this order, then one column for each assignment; the row `Points Possible` follows the header. A
student is found by `ID`, else by the login, else by name. An assignment is found by its title, else Canvas offers to make it.

Moodle (Grades, Import, CSV file): a header, then one row for each student; the instructor says at the import which column
identifies the student (`Username`, `Email address` or `ID number`) and which grade item each other column belongs to. A
student that Moodle does not know stops the whole import, and an empty cell is no grade.

In both, an empty cell stands where a written answer still waits for its points, where something lies in `submitted/` and is not graded, and
where nothing was handed in. The last is a 0 where `dates.csv` says that it was due. With `class.csv` everybody in it has a row, and nobody else.

In both, a text that a spreadsheet program would execute gets a `'` in front, see `nbjudge._report.csv_files`. A login, an address, a number
or an assignment that begins with one of `= + - @` is changed by that, and the platform does not find it: `Points.changed` names them.
"""

from __future__ import annotations

import errno
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from nbgrader.api import Grade, Gradebook, SubmittedNotebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import ExportPlugin
from rich.console import Console
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from nbjudge._common.due_dates import DATES
from nbjudge._common.roster import CLASS
from nbjudge._common.terminal_text import plural, say, shown, some
from nbjudge._course.class_records import APPLIED, bring_up_to_date, has_class_files, is_missing
from nbjudge._course.course import Course
from nbjudge._course.locks import turn
from nbjudge._nbgrader.batched_gradebook import points_and_penalties
from nbjudge._report.csv_files import Cell, safe_cell, write_sheet
from nbjudge._wire.errors import CannotGrade

CANVAS, MOODLE = "grades-canvas.csv", "grades-moodle.csv"
CANVAS_STUDENT = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
CANVAS_POINTS = "    Points Possible"  # with the spaces that Canvas itself writes
MOODLE_STUDENT = ["Username", "Email address", "ID number"]


@dataclass
class Student:
    """A student as the gradebook knows them; only `login` is always there. `points` holds what is final, by assignment."""

    login: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    platform_id: str = ""
    points: dict[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """ "Last, First", or the login where the gradebook has no name."""
        return ", ".join(filter(None, [self.last_name, self.first_name])) or self.login


@dataclass
class Points:
    """The points of a class. `assignments` maps each assignment to the points that it has.

    Attributes:
        waiting: what has no points yet.
        missing: what was due and is not there: it has 0 points.
        strangers: who is left out, because `class.csv` does not have them.
    """

    assignments: dict[str, float]
    students: list[Student]
    waiting: list[str]
    missing: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)

    @property
    def changed(self) -> list[str]:
        """What a platform finds students and assignments by, where it is written otherwise than the gradebook has it, for safety."""
        every = [key for student in self.students for key in (student.login, student.email, student.platform_id)]
        return [key for key in dict.fromkeys([*every, *self.assignments]) if safe_cell(key) != key]

    @property
    def remarks(self) -> Iterator[str]:
        """What to know about the files, in sentences."""
        if self.waiting:
            yield (
                f"Left empty, because an answer waits for its points: {some(self.waiting)}.\n"
                "Next: give the points in the formgrader or by question, then export again."
            )
        if self.missing:
            yield f"0 points, because it was due and nothing was handed in: {some(self.missing)}."
        if self.strangers:
            yield f"Left out, because {CLASS} does not have them: {some(self.strangers)}.\nNext: add them there, then export again."
        if changed := self.changed:
            yield (
                f"Written otherwise, so that no spreadsheet program executes it: {', '.join(map(shown, changed))} ({len(changed)} in all). "
                "The platform does not find what is written so.\nNext: enter these points on the platform by hand."
            )


def read_points(gradebook: Gradebook, students: Collection[str] = (), assignments: Collection[str] = (), course: Course | None = None) -> Points:
    """Everything that was handed in and graded, late penalties taken off.

    Args:
        gradebook: an open one.
        students: logins; all when there are none.
        assignments: names; all when there are none.
        course: whose `class.csv` and `dates.csv` count; none by default.

    Raises:
        CannotGrade: the gradebook does not know one of them, nothing of theirs is graded, or one of the files is wrong.
    """
    _require("assignment", assignments, [assignment.name for assignment in gradebook.assignments])
    _require("student", students, [student.id for student in gradebook.students])
    roster = course.roster if course else None
    every = sorted(gradebook.assignments, key=lambda assignment: assignment.name)  # nbgrader sorts by due dates
    submitted = [assignment for assignment in every if assignment.submissions and (not assignments or assignment.name in assignments)]
    submissions: dict[str, dict[str, str]] = defaultdict(dict)  # their ids, by student and assignment
    for assignment in submitted:
        for submission in assignment.submissions:
            submissions[submission.student_id][assignment.name] = submission.id
    sums, waiting = points_and_penalties(gradebook), _waiting(gradebook)
    points = Points({assignment.name: float(assignment.max_score) for assignment in submitted}, [], [])
    is_anything_graded = False
    for known in sorted(gradebook.students, key=lambda student: student.id):
        if students and known.id not in students:
            continue
        theirs = submissions.get(known.id, {})
        if roster is not None and known.id not in roster:
            points.strangers += [known.id] if theirs else []
            continue
        if not theirs and roster is None:
            continue
        is_anything_graded |= bool(theirs)
        student = Student(known.id, known.first_name or "", known.last_name or "", known.email or "", known.lms_user_id or "")
        points.students.append(student)
        for name in points.assignments:
            if name not in theirs:
                if course is not None and is_missing(course, known.id, name):
                    student.points[name] = 0.0
                    points.missing.append(f"{known.id}/{name}")
            elif theirs[name] in waiting:
                points.waiting.append(f"{known.id}/{name}")
            else:
                scores, penalties = sums.get(theirs[name], ({}, {}))
                student.points[name] = max(0.0, sum(scores.values()) - sum(penalties.values()))
    if not is_anything_graded:
        raise _nothing_yet(" of these" if students or assignments else "")
    return points


def write_canvas(path: Path, points: Points) -> None:
    """Write what Canvas imports as a gradebook.

    Raises:
        OSError: see `write_sheet`.
    """
    rows: list[list[Cell]] = [[*CANVAS_STUDENT, *points.assignments], [CANVAS_POINTS, "", "", "", "", *map(_number, points.assignments.values())]]
    for student in points.students:
        own_id = student.platform_id if student.platform_id.isascii() and student.platform_id.isdigit() else ""
        rows.append([student.name, own_id, "", student.login, "", *_cells(student, points)])
    write_sheet(path, rows)


def write_moodle(path: Path, points: Points) -> None:
    """Write what Moodle imports as a CSV file.

    Raises:
        OSError: see `write_sheet`.
    """
    rows: list[list[Cell]] = [[*MOODLE_STUDENT, *points.assignments]]
    rows += [[student.login, student.email, student.platform_id, *_cells(student, points)] for student in points.students]
    write_sheet(path, rows)


class PlatformExporter(ExportPlugin):
    """What both exporters do: one file, `to` or the usual name, with the chosen students and assignments or all."""

    usual: ClassVar[str]
    writer: Callable[[Path, Points], None]

    def export(self, gradebook: Gradebook) -> None:
        """What `nbgrader export` calls.

        Raises:
            SystemExit: nothing was written; why is in the log.
        """
        try:
            points = self.write(gradebook)
        except CannotGrade as error:
            self.log.error("%s", error)
            sys.exit(1)
        except OSError as error:
            self.log.error("%s", shown(f"{self.to or self.usual} cannot be written ({error.strerror}). Next: mend that, then export again."))
            sys.exit(1)
        self.log.info("%s", shown(f"{_count(points)}: {self.to or self.usual}"))
        for remark in points.remarks:
            self.log.warning("%s", remark.replace("\n", " "))

    def write(self, gradebook: Gradebook, course: Course | None = None) -> Points:
        """Write the file, and return what is in it.

        Args:
            course: where somebody has read it already.

        Raises:
            CannotGrade: see `read_points`. Nothing was written.
            OSError: it cannot be written. What was there is as it was.
        """
        root = Path(CourseDirectory(config=self.config).root)
        if course is None and any((root / name).exists() for name in (CLASS, DATES)):
            course = Course(root)
        points = read_points(gradebook, _names(self.student), _names(self.assignment), course)
        self.writer(Path(self.to or self.usual), points)
        return points


class CanvasExporter(PlatformExporter):
    """`nbgrader export --exporter=nbjudge.CanvasExporter`: what Canvas imports."""

    usual = CANVAS
    writer = staticmethod(write_canvas)


class MoodleExporter(PlatformExporter):
    """`nbgrader export --exporter=nbjudge.MoodleExporter`: what Moodle imports."""

    usual = MOODLE
    writer = staticmethod(write_moodle)


def export(course: Course, console: Console) -> int:
    """Write both files into the course's folder and say what is not final, or why there is none; return the exit status. Makes no gradebook.

    Raises:
        OSError: the disk is full.
    """
    try:
        points = _export_both(course, console)
    except CannotGrade as error:
        say(console, str(error))
        return 1
    say(console, f"{_count(points)}: {CANVAS} and {MOODLE}")
    for remark in points.remarks:
        say(console, remark)
    return 0


def _export_both(course: Course, console: Console) -> Points:
    writing = APPLIED
    try:
        if not course.has_gradebook:
            raise _nothing_yet()
        if has_class_files(course):
            with turn(course, "nbjudge export", lambda words: say(console, words)):
                bring_up_to_date(course)
        with course.gradebook() as gradebook:
            for exporter in (CanvasExporter, MoodleExporter):
                writing = exporter.usual
                points = exporter(config=course.config, to=str(course.root / exporter.usual)).write(gradebook, course)
        return points
    except SQLAlchemyError as error:
        raise CannotGrade(f"The gradebook cannot be read ({getattr(error, 'orig', error)})", "mend that, then export again") from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        raise CannotGrade(f"{writing} cannot be written ({error.strerror})", "mend that, then export again") from error


def _waiting(gradebook: Gradebook) -> frozenset[str]:
    """The submissions with a cell that has no points at all. nbgrader's own flag is also set where points by hand are only to be looked at again."""
    of_all = select(SubmittedNotebook.assignment_id).join(Grade, Grade.notebook_id == SubmittedNotebook.id)
    return frozenset(gradebook.db.execute(of_all.where(Grade.auto_score.is_(None), Grade.manual_score.is_(None)).distinct()).scalars())


def _cells(student: Student, points: Points) -> list[Cell]:
    return [_number(student.points[name]) if name in student.points else None for name in points.assignments]


def _number(points: float) -> float:
    """With at most two decimals, what both platforms show, and none where it is whole."""
    rounded = round(points, 2)
    return int(rounded) if rounded.is_integer() else rounded


def _names(chosen: Iterable[object]) -> list[str]:
    """Names from a command line, where traitlets takes some for numbers."""
    return [str(name) for name in chosen]


def _require(kind: str, wanted: Collection[str], known: Collection[str]) -> None:
    if unknown := [name for name in wanted if name not in known]:
        raise CannotGrade(f"The gradebook knows no {kind} {', '.join(map(shown, unknown))}. Nothing was written", "mend the name, then export again")


def _nothing_yet(of: str = "") -> CannotGrade:
    return CannotGrade(f"There are no grades yet{of}", "grade the class (`python -m nbjudge grade`), then export again")


def _count(points: Points) -> str:
    return f"{plural(len(points.students), 'student')}, {plural(len(points.assignments), 'assignment')}"
