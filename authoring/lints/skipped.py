"""Cells that grading skips, such as training, make nothing that other cells need."""

from __future__ import annotations

from nbformat import NotebookNode

from authoring.errors import Problem
from authoring.exercises import defined_names
from authoring.lessons import Lesson, cell_label
from authoring.preprocessors import RUN_ALL_GOES_ON
from nbjudge import SKIPPED, is_skipped, names_from_outside


def lint_skipped(lesson: Lesson, source: NotebookNode) -> list[Problem]:
    """Names that only skipped cells define and other cells read, and skipped cells that would stop "Run All"."""
    problems = []
    made: dict[str, int] = {}
    for index, cell in enumerate(source.cells):
        if cell.cell_type != "code":
            continue
        where = (lesson.shown(lesson.text), cell_label(source, index))
        if is_skipped(cell):
            made.update(dict.fromkeys(defined_names(cell.source), index))
            if RUN_ALL_GOES_ON not in cell.metadata.tags:
                problems.append(
                    Problem(
                        *where,
                        f"the tag `{SKIPPED}` is there without `{RUN_ALL_GOES_ON}`",
                        "add it: the cell may need an answer that is not written yet",
                    )
                )
            continue
        problems += [
            Problem(
                *where,
                f"reads `{name}`, which {cell_label(source, made[name])} makes; grading skips that cell",
                f"tag this cell `{SKIPPED}`, too, or make the name in a cell that is graded",
            )
            for name in sorted(names_from_outside(cell.source) & made.keys())
        ]
        for name in defined_names(cell.source):
            made.pop(name, None)
    return problems
