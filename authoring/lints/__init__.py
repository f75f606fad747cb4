"""What a lesson must keep to, checked at every build."""

from __future__ import annotations

from nbformat import NotebookNode

from authoring.errors import Problem
from authoring.lessons import Lesson
from authoring.lints.beside import lint_beside
from authoring.lints.calls import lint_calls
from authoring.lints.cards import lint_cards
from authoring.lints.front_matter import lint_front_matter
from authoring.lints.grade_ids import lint_grade_ids
from authoring.lints.leaks import lint_leaks
from authoring.lints.skipped import lint_skipped
from authoring.lints.summaries import lint_summaries
from authoring.lints.syntax import lint_syntax
from authoring.lints.test_cells import lint_test_cells
from authoring.lints.todo import lint_todo
from authoring.predictions import lint_predictions

LINTS = (
    lint_todo,
    lint_front_matter,
    lint_grade_ids,
    lint_cards,
    lint_summaries,
    lint_predictions,
    lint_calls,
    lint_test_cells,
    lint_skipped,
    lint_beside,
)


def lint_source(lesson: Lesson, source: NotebookNode) -> list[Problem]:
    """Everything wrong with a lesson's text. While a cell is not Python, that comes first."""
    return lint_syntax(lesson, source) or [problem for lint in LINTS for problem in lint(lesson, source)]


def lint_release(lesson: Lesson, source: NotebookNode, released: NotebookNode) -> list[Problem]:
    """Everything in a released notebook that learners must not see."""
    return lint_leaks(lesson, source, released)
