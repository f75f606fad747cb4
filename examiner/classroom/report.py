"""What the instructor sees at the end: the table of students and questions, the list of troubles, the CSV."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from nbgrader.api import Assignment, Notebook, SubmittedAssignment
from rich.console import Console
from rich.table import Table
from traitlets import Dict, Unicode
from traitlets.config import Configurable

from examiner.classroom.course import Course
from examiner.classroom.outcomes import Outcome, Status

FEW = 3  # places that are told by name
Reason = TypeVar("Reason", bound=Hashable)
CSV_COLUMNS = ["assignment", "student", "status", "score", "max_score", "to_grade_by_hand", "seconds_late", "why"]


class Report(Configurable):
    """How a course wants its table: `c.Report` in `nbgrader_config.py`."""

    together = Dict(Unicode(), help="Questions that share a column: how their names begin, and the column's heading.").tag(config=True)
    ending = Unicode("", help="An ending of questions' names that headings do without.").tag(config=True)

    def column_of(self, question: str) -> str | None:
        """The heading of the column that a question shares with others, or None."""
        return next((heading for beginning, heading in self.together.items() if question.startswith(beginning)), None)


@dataclass
class Row:
    """One submission in the gradebook: points per question, None where an instructor has to grade by hand."""

    student: str
    assignment: str
    score: float
    max_score: float
    seconds_late: float
    points: dict[str, float | None]
    outcome: Outcome


@dataclass
class Grades:
    """All rows of one assignment. `questions` maps each question to its points, in the order of the notebook."""

    assignment: str
    questions: dict[str, float]
    rows: list[Row] = field(default_factory=list)


def read_grades(course: Course, outcomes: list[Outcome]) -> list[Grades]:
    """What the gradebook holds for the submissions of a run."""
    graded = {(outcome.assignment, outcome.student): outcome for outcome in outcomes if outcome.status is not Status.NOT_GRADED}
    with course.gradebook() as gradebook:
        every = [_grades(assignment, graded) for assignment in sorted(gradebook.assignments, key=lambda assignment: assignment.name)]
    return [grades for grades in every if grades.rows]


def print_report(console: Console, grades: list[Grades], outcomes: list[Outcome], settings: Report | None = None) -> None:
    """Print a table per assignment, then what could not be graded and why, what to know besides, what is the instructor's, the counts."""
    for assignment in grades:
        console.print(_table(assignment, settings or Report()), soft_wrap=not console.is_terminal)
    troubles = [((outcome.why, outcome.next_step), outcome.where) for outcome in outcomes if outcome.status is Status.NOT_GRADED]
    _tell(console, "Not graded", troubles, lambda reason: f"{reason[0]}.\n      Next: {reason[1]}.")
    notes = [(note, outcome.where) for outcome in outcomes for note in outcome.notes if outcome.status is not Status.NOT_GRADED]
    _tell(console, "Graded, with a note", notes, lambda note: f"{note}.")
    broken = [((outcome.assignment, test.grade_id, test.message), outcome.where) for outcome in outcomes for test in outcome.broken_tests]
    _tell(console, "Test cells that could not judge, through no fault of a student", broken,
          lambda test: f"{test[0]}/{test[1]}: {test[2]}\n      Next: mend the test cell in source/, then run the same command again.")
    counts = Counter(outcome.status.value for outcome in outcomes)
    console.print(f"\n{len(outcomes)} in submitted/: " + ", ".join(f"{counts[status.value]} {status.value}" for status in Status))


def _tell(console: Console, title: str, things: list[tuple[Reason, str]], sentence: Callable[[Reason], str]) -> None:
    """Print each reason once, with the places that have it: by name where they are few, else with their number. In the same order each time."""
    places: dict[Reason, list[str]] = {}
    for reason, where in sorted(things, key=lambda thing: thing[1]):
        places.setdefault(reason, []).append(where)
    if places:
        console.print(f"\n[bold]{title}[/bold]")
    for reason, every in places.items():
        named = ", ".join(every[:FEW]) + (f" and {len(every) - FEW} more ({len(every)} in all)" if len(every) > FEW else "")
        console.print(f"  {named}: {sentence(reason)}", markup=False, soft_wrap=True)


def write_csv(path: Path, grades: list[Grades], outcomes: list[Outcome]) -> None:
    """Write one line per submission, graded or not, with a column for each question."""
    questions = list(dict.fromkeys(f"{assignment.assignment}/{question}" for assignment in grades for question in assignment.questions))
    lines = []
    for assignment in grades:
        for row in assignment.rows:
            open_questions = sum(points is None for points in row.points.values())
            lines.append({
                "assignment": row.assignment, "student": row.student, "status": row.outcome.status.value, "score": row.score,
                "max_score": row.max_score, "to_grade_by_hand": open_questions, "seconds_late": row.seconds_late,
                "why": "; ".join(row.outcome.notes),
                **{f"{row.assignment}/{question}": points for question, points in row.points.items()}})
    lines += [{"assignment": outcome.assignment, "student": outcome.student, "status": outcome.status.value,
               "why": f"{outcome.where}: {outcome.why}; {outcome.next_step}"}
              for outcome in sorted(outcomes, key=lambda outcome: outcome.where) if outcome.status is Status.NOT_GRADED]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*CSV_COLUMNS, *questions])
        writer.writeheader()
        writer.writerows(lines)


def _grades(assignment: Assignment, graded: dict[tuple[str, str], Outcome]) -> Grades:
    cells = [cell for notebook in assignment.notebooks for cell in _in_order(notebook)]
    grades = Grades(assignment.name, {cell.name: cell.max_score for cell in cells})
    for submission in sorted(assignment.submissions, key=lambda submission: submission.student_id):
        outcome = graded.get((assignment.name, submission.student_id))
        if outcome:
            grades.rows.append(_row(submission, grades, outcome))
    return grades


def _in_order(notebook: Notebook) -> list[Any]:
    """The graded cells of a notebook in the order of its source."""
    place = {cell.name: number for number, cell in enumerate(notebook.source_cells)}
    return sorted([*notebook.grade_cells, *notebook.task_cells], key=lambda cell: place.get(cell.name, 0))


def _row(submission: SubmittedAssignment, grades: Grades, outcome: Outcome) -> Row:
    by_question = {grade.name: None if grade.auto_score is None and grade.manual_score is None else grade.score  # None: by hand
                   for notebook in submission.notebooks for grade in notebook.grades}
    points = {question: by_question.get(question, 0.0) for question in grades.questions}
    return Row(submission.student_id, submission.assignment.name, submission.score, submission.max_score,
               submission.total_seconds_late, points, outcome)


def _table(grades: Grades, settings: Report) -> Table:
    """One line per student; see `Report` for questions that share a column."""
    shown = [question for question in grades.questions if settings.column_of(question) is None]
    shared: dict[str, list[str]] = {}
    for question in grades.questions:
        if (heading := settings.column_of(question)) is not None:
            shared.setdefault(heading, []).append(question)
    table = Table(title=grades.assignment, title_justify="left", header_style="bold")
    table.add_column("student", no_wrap=True)
    for question in shown:
        table.add_column(f"{_heading(question, settings)}\n/ {grades.questions[question]:g}", justify="right")
    for heading, questions in shared.items():
        table.add_column(f"{heading}\n/ {sum(grades.questions[question] for question in questions):g}", justify="right")
    table.add_column(f"sum\n/ {sum(grades.questions.values()):g}", justify="right", style="bold")
    table.add_column("remark")
    for row in grades.rows:
        cells = [_points(row.points[question]) for question in shown]
        cells += [_points(sum(row.points[question] or 0 for question in questions)) for questions in shared.values()]
        table.add_row(row.student, *cells, _points(row.score), _remark(row))
    return table


def _heading(question: str, settings: Report) -> str:
    """A grade id as a narrow heading: one line per word."""
    return question.removesuffix(settings.ending).replace("_", "\n")


def _points(points: float | None) -> str:
    return "by hand" if points is None else f"{points:g}"


def _remark(row: Row) -> str:
    remarks = [f"late by {_duration(row.seconds_late)}"] if row.seconds_late > 0 else []
    return ", ".join(remarks + (["see note"] if row.outcome.notes else []))


def _duration(seconds: float) -> str:
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 48 * 3600 else f"{seconds / 86400:.0f} days"
