"""Cells that grading skips, such as training, make nothing that other cells need."""

from __future__ import annotations

from nbformat import NotebookNode

from authoring.errors import Problem
from authoring.exercises import names_made_only_in
from authoring.lessons import Lesson, cell_label
from authoring.preprocessors import RUN_ALL_GOES_ON
from nbjudge import SKIPPED, is_skipped


def lint_skipped(lesson: Lesson, source: NotebookNode) -> list[Problem]:
    """Skipped cells that would stop "Run All", and names that only skipped cells define and other cells read."""
    problems = [
        Problem(
            lesson.shown(lesson.text),
            cell_label(source, index),
            f"the tag `{SKIPPED}` is there without `{RUN_ALL_GOES_ON}`",
            "add it: the cell may need an answer that is not written yet",
        )
        for index, cell in enumerate(source.cells)
        if cell.cell_type == "code" and is_skipped(cell) and RUN_ALL_GOES_ON not in cell.metadata.tags
    ]
    problems += [
        Problem(
            lesson.shown(lesson.text),
            cell_label(source, index),
            f"reads `{name}`, which {cell_label(source, made)} makes; grading skips that cell",
            f"tag this cell `{SKIPPED}`, too, or make the name in a cell that is graded",
        )
        for index, name, made in names_made_only_in(source, is_skipped)
    ]
    return problems
