"""What the gradebook holds, as CSV files for spreadsheet programs and learning platforms: no cell of them is executed, none is left half written."""

from __future__ import annotations

import contextlib
import csv
import os
import shutil
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from nbgrader.api import Assignment, Notebook, SubmittedAssignment

from nbjudge._common.terminal_text import UNSEEN, shown
from nbjudge._course.course import Course
from nbjudge._course.outcomes import Outcome, Status


@dataclass
class GradeRow:
    """One submission in the gradebook: points per question, None where an instructor has to grade by hand.

    `absent` names the questions of notebooks that were not handed in. They have 0 points.
    """

    student: str
    assignment: str
    score: float
    max_score: float
    seconds_late: float
    points: dict[str, float | None]
    outcome: Outcome
    absent: frozenset[str] = frozenset()


@dataclass
class Grades:
    """All rows of one assignment. `questions` maps each question to its points, in the order of the notebook."""

    assignment: str
    questions: dict[str, float]
    rows: list[GradeRow] = field(default_factory=list)


def read_grades(course: Course, outcomes: list[Outcome]) -> list[Grades]:
    """What the gradebook holds for the submissions of a run."""
    graded = {(outcome.assignment, outcome.student): outcome for outcome in outcomes if outcome.status is not Status.NOT_GRADED}
    with course.gradebook() as gradebook:
        every = [_grades(assignment, graded, course) for assignment in sorted(gradebook.assignments, key=lambda assignment: assignment.name)]
    return [grades for grades in every if grades.rows]


def _grades(assignment: Assignment, graded: dict[tuple[str, str], Outcome], course: Course) -> Grades:
    notebooks = sorted(assignment.notebooks, key=lambda notebook: notebook.name)
    cells = [cell for notebook in notebooks for cell in _in_order(notebook, course.order)]
    grades = Grades(assignment.name, {cell.name: cell.max_score for cell in cells})
    for submission in sorted(assignment.submissions, key=lambda submission: submission.student_id):
        outcome = graded.get((assignment.name, submission.student_id))
        if outcome:
            grades.rows.append(_row(submission, grades, outcome))
    return grades


def _in_order(notebook: Notebook, order: dict[tuple[str, str, str], int]) -> list[Any]:
    """The graded cells of a notebook in the order of its source."""
    return sorted(
        [*notebook.grade_cells, *notebook.task_cells],
        key=lambda cell: (order.get((notebook.assignment.name, notebook.name, cell.name), len(order)), cell.name),
    )


def _row(submission: SubmittedAssignment, grades: Grades, outcome: Outcome) -> GradeRow:
    by_question = {
        grade.name: None if grade.auto_score is None and grade.manual_score is None else grade.score  # None: by hand
        for notebook in submission.notebooks
        for grade in notebook.grades
    }
    points = {question: by_question.get(question, 0.0) for question in grades.questions}
    return GradeRow(
        submission.student_id,
        submission.assignment.name,
        submission.score,
        submission.max_score,
        submission.total_seconds_late,
        points,
        outcome,
        frozenset(grades.questions.keys() - by_question.keys()),
    )


CSV_COLUMNS = ["assignment", "student", "status", "score", "max_score", "to_grade_by_hand", "seconds_late", "why"]
Cell = str | float | None  # a text by anybody, a number of ours, or nothing

SIGNS = set("=+-@＝＋－＠﹦﹢﹣﹫−")  # in full width, small, and the minus of mathematics, too: some programs read them alike
BREAKS = set("\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")  # of columns and lines
COLUMNS = set(";|")  # where programs of other countries split
QUOTES = set("\"'`´‘’‚‛“”„‟«»‹›")


def safe_cell(text: str) -> str:
    """A text that no spreadsheet program takes for a formula: a `'` stands before each sign that could begin one.

    A sign can begin one at the beginning of the text and behind what a program may take for the end of a cell (`;`, `|`, a tab, a line
    feed), also where only spaces, quotes and controls are between. A tab or a line feed that begins a cell gets a `'`, too. Controls other
    than these, such as the null character, and halves of characters, which no file can hold, are written out. What is safe stays as it is.
    """
    written: list[str] = []
    begins = first = True  # `first`: nothing was there since the cell began
    for letter in text:
        if begins and (letter in SIGNS or (first and letter in BREAKS)) and written[-1:] != ["'"]:
            written.append("'")
        written.append(shown(letter) if unicodedata.category(letter) in {"Cc", "Cs"} and letter not in "\t\n\r" else letter)
        if letter in COLUMNS:
            begins = first = True
        elif letter in BREAKS:
            begins, first = True, False
        else:
            begins = begins and (letter.isspace() or letter in QUOTES or unicodedata.category(letter) in UNSEEN)
    return "".join(written)


def write_sheet(path: Path, rows: Iterable[Sequence[Cell]]) -> None:
    """Write a CSV file, texts through `safe_cell`, numbers as they are. What stood at `path` stays there until all is written.

    Raises:
        OSError: it cannot be written. What was there is as it was.
    """
    with _whole_file(path) as file:
        csv.writer(file).writerows([safe_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)


def write_csv(path: Path, grades: list[Grades], outcomes: list[Outcome]) -> None:
    """Write one line per submission, graded or not, with a column for each question.

    Raises:
        OSError: see `write_sheet`.
    """
    columns = [*CSV_COLUMNS, *dict.fromkeys(f"{assignment.assignment}/{question}" for assignment in grades for question in assignment.questions)]
    lines: list[dict[str, Cell]] = []
    for assignment in grades:
        for row in assignment.rows:
            open_questions = sum(points is None for points in row.points.values())
            lines.append(
                {
                    "assignment": row.assignment,
                    "student": row.student,
                    "status": row.outcome.status.value,
                    "score": row.score,
                    "max_score": row.max_score,
                    "to_grade_by_hand": open_questions,
                    "seconds_late": row.seconds_late,
                    "why": "; ".join(row.outcome.notes),
                    **{f"{row.assignment}/{question}": points for question, points in row.points.items()},
                }
            )
    lines += [
        {
            "assignment": outcome.assignment,
            "student": outcome.student,
            "status": outcome.status.value,
            "why": f"{outcome.where}: {outcome.why}; {outcome.next_step}",
        }
        for outcome in sorted(outcomes, key=lambda outcome: outcome.where)
        if outcome.status is Status.NOT_GRADED
    ]
    write_sheet(path, [columns, *([line.get(column) for column in columns] for line in lines)])


@contextlib.contextmanager
def _whole_file(path: Path) -> Iterator[TextIO]:
    """A text file that takes the place of `path` when all of it is written. A pipe or a terminal gets the text as it comes."""
    if path.exists() and not path.is_file():
        with path.open("w", newline="", encoding="utf-8") as file:
            yield file
        return
    path = Path(os.path.realpath(path))  # a link goes on leading where it led
    beside = path.with_name(f".{path.name[:100]}.{os.getpid()}.part")
    beside.unlink(missing_ok=True)
    try:
        with beside.open("x", newline="", encoding="utf-8") as file:
            yield file
        if path.exists():
            shutil.copymode(path, beside)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
