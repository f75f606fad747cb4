"""What the gradebook holds, as CSV files for spreadsheet programs and learning platforms: no cell of them is executed, none is left half written."""

from __future__ import annotations

import contextlib
import csv
import os
import shutil
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from nbgrader.api import Assignment, BaseCell, Grade, Gradebook, Notebook, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import select

from nbjudge._common.preload import GRADES
from nbjudge._common.roster import Person
from nbjudge._common.terminal_text import UNSEEN, shown
from nbjudge._course.class_records import is_missing
from nbjudge._course.course import Course
from nbjudge._course.outcomes import Outcome, Status
from nbjudge._nbgrader.batched_gradebook import points_and_penalties


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
    penalty: float = 0.0  # what is taken off `score` for being late
    is_timed: bool = True  # whether it is known when it was handed in


@dataclass
class Grades:
    """All rows of one assignment. `questions` maps each question to its points, in the order of the notebook."""

    assignment: str
    questions: dict[str, float]
    rows: list[GradeRow] = field(default_factory=list)


def read_grades(course: Course, outcomes: list[Outcome]) -> list[Grades]:
    """What the gradebook holds for the submissions of a run. Their outcomes forget the tests that somebody has graded by hand since."""
    graded = {(outcome.assignment, outcome.student): outcome for outcome in outcomes if outcome.status is not Status.NOT_GRADED}
    with course.gradebook() as gradebook:
        rows = _Rows(graded, points_and_penalties(gradebook), _marks(gradebook))
        every = [_grades(assignment, rows, course) for assignment in sorted(gradebook.assignments, key=lambda assignment: assignment.name)]
    for row in (row for grades in every for row in grades.rows):
        waits = [test for test in row.outcome.broken_tests if row.points.get(test.grade_id, 0.0) is None]
        row.outcome.broken_tests[:] = waits  # where somebody has given points by hand, nothing is to be looked at any more
    return [grades for grades in every if grades.rows]


@dataclass(frozen=True)
class _Rows:
    """What rows are made of: outcomes by assignment and student, and of each submission, by its id, sums by notebook and marks by question."""

    outcomes: Mapping[tuple[str, str], Outcome]
    sums: Mapping[str, tuple[dict[str, float], dict[str, float]]]
    marks: Mapping[str, dict[str, float | None]]


def _grades(assignment: Assignment, rows: _Rows, course: Course) -> Grades:
    notebooks = sorted(assignment.notebooks, key=lambda notebook: notebook.name)
    cells = [cell for notebook in notebooks for cell in _in_order(notebook, course.order)]
    grades, most = Grades(assignment.name, {cell.name: cell.max_score for cell in cells}), assignment.max_score
    for submission in sorted(assignment.submissions, key=lambda submission: submission.student_id):
        if outcome := rows.outcomes.get((assignment.name, submission.student_id)):
            grades.rows.append(_row(submission, grades, most, outcome, rows))
    return grades


def _marks(gradebook: Gradebook) -> dict[str, dict[str, float | None]]:
    """The points of each question of each submission, by its id; None where a person has to give them."""
    found: dict[str, dict[str, float | None]] = defaultdict(dict)
    columns = SubmittedNotebook.assignment_id, BaseCell.name, Grade.auto_score, Grade.manual_score, Grade.score
    wanted = select(*columns).join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id).join(BaseCell, BaseCell.id == Grade.cell_id)
    for submission, question, automatic, by_hand, score in gradebook.db.execute(wanted):
        found[submission][question] = None if automatic is None and by_hand is None else score
    return found


def _in_order(notebook: Notebook, order: dict[tuple[str, str, str], int]) -> list[Any]:
    """The graded cells of a notebook in the order of its source."""
    return sorted(
        [*notebook.grade_cells, *notebook.task_cells],
        key=lambda cell: (order.get((notebook.assignment.name, notebook.name, cell.name), len(order)), cell.name),
    )


def _row(submission: SubmittedAssignment, grades: Grades, most: float, outcome: Outcome, rows: _Rows) -> GradeRow:
    by_question = rows.marks.get(submission.id, {})
    scores, penalties = rows.sums.get(submission.id, ({}, {}))
    return GradeRow(
        submission.student_id,
        grades.assignment,
        sum(scores.values(), 0.0),
        most,
        submission.total_seconds_late,
        {question: by_question.get(question, 0.0) for question in grades.questions},
        outcome,
        frozenset(grades.questions.keys() - by_question.keys()),
        sum(penalties.values(), 0.0),
        submission.timestamp is not None,
    )


CSV_COLUMNS = ["assignment", "student", "status", "score", "penalty", "max_score", "to_grade_by_hand", "seconds_late", "why"]
DAY = 86400.0  # seconds
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


BY_QUESTION, ELSEWHERE = "grades", "elsewhere"  # the folder with a file for each assignment; its file for the rest


def write_grades(course: Course, grades: Sequence[Grades], outcomes: Sequence[Outcome]) -> None:
    """Write `grades.csv`, a row for each student, and `grades/ASSIGNMENT.csv`, with the points of each question.

    Raises:
        OSError: see `write_sheet`.
    """
    write_sheet(course.root / GRADES, _table(course, grades, outcomes))
    folder = course.root / BY_QUESTION
    folder.mkdir(exist_ok=True)
    lost = [outcome for outcome in outcomes if outcome.status is Status.NOT_GRADED]
    names = {one.assignment: [one] for one in grades} | {outcome.assignment: [] for outcome in lost}
    for name in names:
        own = [one for one in grades if one.assignment == name]
        write_csv(folder / f"{name or ELSEWHERE}.csv", own, [outcome for outcome in lost if outcome.assignment == name])
    if "" not in names:
        (folder / f"{ELSEWHERE}.csv").unlink(missing_ok=True)


def _table(course: Course, grades: Sequence[Grades], outcomes: Sequence[Outcome]) -> list[list[Cell]]:
    """A row for each student. What waits for points, and what need not be there yet, is empty; what was due and is not there has 0."""
    rows: dict[str, dict[str, GradeRow]] = defaultdict(dict)
    for one in grades:
        for row in one.rows:
            rows[row.student][one.assignment] = row
    lost: dict[str, list[str]] = defaultdict(list)
    for outcome in outcomes:
        if outcome.student and outcome.status is Status.NOT_GRADED:
            lost[outcome.student].append(f"{outcome.assignment or outcome.where}: {outcome.why}; {outcome.next_step}")
    people = course.roster.by_id if course.roster else {}
    header: list[Cell] = ["student", *(("name", "mail", "group") if people else ())]
    for one in grades:
        name = one.assignment
        header += [f"{name} before penalty", f"{name} penalty", name, f"{name} days late"] if course.dates else [name]
    table: list[list[Cell]] = [[*header, "sum", "of", "to grade by hand", "remarks"]]
    for student in [*people, *sorted({*rows, *lost} - people.keys())]:
        person = people.get(student, Person(student))
        about = [person.name, person.mail, person.group] if people else []
        table.append([student, *about, *_points_of(course, student, grades, rows[student], lost[student])])
    return table


def _points_of(course: Course, student: str, grades: Sequence[Grades], rows: Mapping[str, GradeRow], lost: Sequence[str]) -> list[Cell]:
    """A student's points in each assignment, their sum, out of how many, how many questions wait for a person, and remarks."""
    line: list[Cell] = []
    remarks: list[str] = []
    final = possible = 0.0
    is_any_final, waiting = False, 0
    for one in grades:
        row = rows.get(one.assignment)
        cells = _cells_of(course, student, one, row)
        line += cells if course.dates else [cells[2]]
        if isinstance(points := cells[2], int | float):
            is_any_final, final, possible = True, final + points, possible + sum(one.questions.values())
        if row is not None:
            waiting += sum(points is None for points in row.points.values())
            remarks += [f"{one.assignment}: {note}" for note in _remarks_of(row.outcome)]
        elif cells[2] is not None:
            remarks.append(f"{one.assignment}: not handed in")
    return [*line, *((_rounded(final), _rounded(possible)) if is_any_final else (None, None)), waiting, "; ".join([*remarks, *lost])]


def _remarks_of(outcome: Outcome) -> list[str]:
    return [*outcome.notes, *(f"to be looked at: {test.grade_id} could not judge ({test.message.rstrip('.')})" for test in outcome.broken_tests)]


def _cells_of(course: Course, student: str, grades: Grades, row: GradeRow | None) -> list[Cell]:
    """Points before the penalty, the penalty, points after it, days late: of a student in an assignment."""
    if row is None:
        return [None, None, 0 if is_missing(course, student, grades.assignment) else None, None]
    days_late = _rounded(row.seconds_late / DAY) if row.is_timed else None
    if any(points is None for points in row.points.values()):
        return [None, None, None, days_late]
    return [_rounded(row.score), _rounded(row.penalty), _rounded(max(0.0, row.score - row.penalty)), days_late]


def _rounded(value: float) -> float:
    rounded = round(value, 2)
    return int(rounded) if rounded.is_integer() else rounded


def write_csv(path: Path, grades: Sequence[Grades], outcomes: Sequence[Outcome]) -> None:
    """Write one line per submission of an assignment, graded or not, with a column for each question.

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
                    "penalty": row.penalty,
                    "max_score": row.max_score,
                    "to_grade_by_hand": open_questions,
                    "seconds_late": row.seconds_late,
                    "why": "; ".join(_remarks_of(row.outcome)),
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
