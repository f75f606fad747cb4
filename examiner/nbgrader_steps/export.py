"""Points in the forms that learning platforms import.

Canvas (Grades, Import), after its own importer and export: the columns `Student`, `ID`, `SIS User ID`, `SIS Login ID` and
`Section` come first and in this order, then one column for each assignment; the row `Points Possible` follows the header. A
student is found by `ID`, else by the login, else by name. An assignment is found by its title, else Canvas offers to make it.

Moodle (Grades, Import, CSV file): a header, then one row for each student; the instructor says at the import which column
identifies the student (`Username`, `Email address` or `ID number`) and which grade item each other column belongs to. A
student that Moodle does not know stops the whole import, and an empty cell is no grade.

In both, an empty cell stands where nothing was handed in or a written answer still waits for its points.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import Gradebook, SubmittedAssignment
from rich.console import Console

from examiner.classroom.course import Course

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
        """"Last, First", or the login where the gradebook has no name."""
        return ", ".join(filter(None, [self.last_name, self.first_name])) or self.login


@dataclass
class Points:
    """The points of a class. `assignments` maps each assignment to the points that it has; `waiting` has no points yet."""

    assignments: dict[str, float]
    students: list[Student]
    waiting: list[str]


def read_points(gradebook: Gradebook) -> Points:
    """Everything that was handed in and graded, late penalties taken off."""
    submitted = [assignment for assignment in gradebook.assignments if assignment.submissions]
    points = Points({assignment.name: float(assignment.max_score) for assignment in submitted}, [], [])
    for known in sorted(gradebook.students, key=lambda student: student.id):
        student = Student(known.id, known.first_name or "", known.last_name or "", known.email or "", known.lms_user_id or "")
        for submission in sorted(known.submissions, key=lambda submission: submission.assignment.name):
            if _waits(submission):
                points.waiting.append(f"{known.id}/{submission.assignment.name}")
            else:
                student.points[submission.assignment.name] = _final(submission)
        if known.submissions:
            points.students.append(student)
    return points


def write_canvas(path: Path, points: Points) -> None:
    """Write what Canvas imports as a gradebook."""
    rows = [[CANVAS_POINTS, "", "", "", "", *map(_number, points.assignments.values())]]
    for student in points.students:
        own_id = student.platform_id if student.platform_id.isdigit() else ""
        rows.append([student.name, own_id, "", student.login, "", *_cells(student, points)])
    _write(path, [*CANVAS_STUDENT, *points.assignments], rows)


def write_moodle(path: Path, points: Points) -> None:
    """Write what Moodle imports as a CSV file."""
    rows = [[student.login, student.email, student.platform_id, *_cells(student, points)] for student in points.students]
    _write(path, [*MOODLE_STUDENT, *points.assignments], rows)


def export(course: Course, console: Console) -> int:
    """Write both files into the course's folder and say what is not final; return the exit status."""
    with course.gradebook() as gradebook:
        points = read_points(gradebook)
    if not points.students:
        console.print("There are no grades yet. Next: `python -m examiner grade`.", markup=False)
        return 1
    write_canvas(course.root / CANVAS, points)
    write_moodle(course.root / MOODLE, points)
    console.print(f"{len(points.students)} students, {len(points.assignments)} assignments: {CANVAS} and {MOODLE}", markup=False)
    if points.waiting:
        console.print(f"Left empty, because a written answer waits for its points: {', '.join(points.waiting)}.\n"
                      "Next: give the points in the formgrader, then export again.", markup=False, soft_wrap=True)
    return 0


def _waits(submission: SubmittedAssignment) -> bool:
    """Whether a cell has no points at all. nbgrader's own flag is also set where points by hand are only to be looked at again."""
    return any(grade.auto_score is None and grade.manual_score is None
               for notebook in submission.notebooks for grade in notebook.grades)


def _final(submission: SubmittedAssignment) -> float:
    return max(0.0, submission.score - (submission.late_submission_penalty or 0.0))


def _cells(student: Student, points: Points) -> list[str]:
    return [_number(student.points[name]) if name in student.points else "" for name in points.assignments]


def _number(points: float) -> str:
    """With a point, at most two decimals: what both platforms show."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def _write(path: Path, header: list[str], rows: list[list[str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
