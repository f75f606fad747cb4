"""Grade ids name cells in the gradebook, so each occurs once."""

from __future__ import annotations

from collections import Counter

from nbformat import NotebookNode

from authoring.errors import Problem
from authoring.lessons import Lesson, cell_label, grade_id


def lint_grade_ids(lesson: Lesson, source: NotebookNode) -> list[Problem]:
    """Grade ids that occur more than once, and graded cells without one."""
    counts = Counter(filter(None, map(grade_id, source.cells)))
    problems = []
    for index, cell in enumerate(source.cells):
        name = grade_id(cell)
        if "nbgrader" in cell.metadata and not name:
            problems.append(
                Problem(lesson.shown(lesson.text), cell_label(source, index), "has no grade id", 'add `"grade_id": "..."` to its nbgrader settings')
            )
        elif counts[name] > 1:
            problems.append(
                Problem(
                    lesson.shown(lesson.text),
                    cell_label(source, index),
                    f"the grade id `{name}` occurs {counts[name]} times",
                    "give each cell a grade id of its own",
                )
            )
    return problems
