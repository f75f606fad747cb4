"""What the instructor sees at the end: the table of students and questions, the list of troubles, the CSV."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import Assignment, SubmittedAssignment
from rich.console import Console
from rich.table import Table

from examiner.classroom.course import Course
from examiner.classroom.outcomes import Outcome, Status

CSV_COLUMNS = ["assignment", "student", "status", "score", "max_score", "to_grade_by_hand", "seconds_late", "why"]


@dataclass
class Row:
    """One submission in the gradebook: points per question, None where an instructor has to grade by hand."""

    student: str
    assignment: str
    score: float
    max_score: float
    seconds_late: float
    points: dict[str, float | None]
    outcome: Outcome | None = None


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


def print_report(console: Console, grades: list[Grades], outcomes: list[Outcome]) -> None:
    """Print a table per assignment, then what could not be graded and why, then the counts."""
    for assignment in grades:
        console.print(_table(assignment), soft_wrap=not console.is_terminal)
    troubles = [outcome for outcome in outcomes if outcome.status is Status.NOT_GRADED]
    if troubles:
        console.print("\n[bold]Not graded[/bold]")
        for outcome in troubles:
            console.print(f"  {outcome.where}: {outcome.why}.\n      Next: {outcome.next_step}.", markup=False, soft_wrap=True)
    notes = [(outcome.where, note) for outcome in outcomes for note in outcome.notes if outcome.status is not Status.NOT_GRADED]
    if notes:
        console.print("\n[bold]Graded, with a note[/bold]")
        for where, note in notes:
            console.print(f"  {where}: {note}.", markup=False, soft_wrap=True)
    counts = Counter(outcome.status.value for outcome in outcomes)
    console.print(f"\n{len(outcomes)} in submitted/: " + ", ".join(f"{counts[status.value]} {status.value}" for status in Status))


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
              for outcome in outcomes if outcome.status is Status.NOT_GRADED]
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


def _in_order(notebook: object) -> list:
    """The graded cells of a notebook in the order of its source."""
    place = {cell.name: number for number, cell in enumerate(notebook.source_cells)}
    return sorted([*notebook.grade_cells, *notebook.task_cells], key=lambda cell: place.get(cell.name, 0))


def _row(submission: SubmittedAssignment, grades: Grades, outcome: Outcome) -> Row:
    by_question = {grade.name: None if grade.auto_score is None and grade.manual_score is None else grade.score  # None: by hand
                   for notebook in submission.notebooks for grade in notebook.grades}
    points = {question: by_question.get(question, 0.0) for question in grades.questions}
    return Row(submission.student_id, submission.assignment.name, submission.score, submission.max_score,
               submission.total_seconds_late, points, outcome)


def _table(grades: Grades) -> Table:
    """One line per student. A question that gives a point only for a prediction is counted in one column with the others."""
    shown = [question for question in grades.questions if not question.startswith("predict_")]
    predictions = [question for question in grades.questions if question.startswith("predict_")]
    table = Table(title=grades.assignment, title_justify="left", header_style="bold")
    table.add_column("student", no_wrap=True)
    for question in shown:
        table.add_column(f"{_heading(question)}\n/ {grades.questions[question]:g}", justify="right")
    if predictions:
        table.add_column(f"predictions\n/ {sum(grades.questions[question] for question in predictions):g}", justify="right")
    table.add_column(f"sum\n/ {sum(grades.questions.values()):g}", justify="right", style="bold")
    table.add_column("remark")
    for row in grades.rows:
        cells = [_points(row.points[question]) for question in shown]
        if predictions:
            cells.append(_points(sum(row.points[question] or 0 for question in predictions)))
        table.add_row(row.student, *cells, _points(row.score), _remark(row))
    return table


def _heading(question: str) -> str:
    """A grade id as a narrow heading: one line per word."""
    return question.removesuffix("_test").replace("_", "\n")


def _points(points: float | None) -> str:
    return "by hand" if points is None else f"{points:g}"


def _remark(row: Row) -> str:
    remarks = [f"late by {_duration(row.seconds_late)}"] if row.seconds_late > 0 else []
    return ", ".join(remarks + (["see note"] if row.outcome and row.outcome.notes else []))


def _duration(seconds: float) -> str:
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 48 * 3600 else f"{seconds / 86400:.0f} days"
