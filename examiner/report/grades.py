"""What the gradebook holds for the submissions of a run, as the table and `grades.csv` tell it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from nbgrader.api import Assignment, Notebook, SubmittedAssignment

from examiner.classroom.course import Course
from examiner.classroom.outcomes import Outcome, Status


@dataclass
class Row:
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
    rows: list[Row] = field(default_factory=list)


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


def _row(submission: SubmittedAssignment, grades: Grades, outcome: Outcome) -> Row:
    by_question = {
        grade.name: None if grade.auto_score is None and grade.manual_score is None else grade.score  # None: by hand
        for notebook in submission.notebooks
        for grade in notebook.grades
    }
    points = {question: by_question.get(question, 0.0) for question in grades.questions}
    return Row(
        submission.student_id,
        submission.assignment.name,
        submission.score,
        submission.max_score,
        submission.total_seconds_late,
        points,
        outcome,
        frozenset(grades.questions.keys() - by_question.keys()),
    )
