"""Code cells are plain Python, so that the other rules can read them."""

from __future__ import annotations

import ast

from nbformat import NotebookNode

from authoring.errors import Problem
from authoring.lessons import Lesson, cell_label


def lint_syntax(lesson: Lesson, source: NotebookNode) -> list[Problem]:
    """Code cells that are not Python; magics of IPython count as such."""
    problems = []
    for index, cell in enumerate(source.cells):
        if cell.cell_type != "code":
            continue
        try:
            ast.parse(cell.source)
        except SyntaxError as error:
            problems.append(
                Problem(lesson.shown(lesson.text), cell_label(source, index), f"line {error.lineno} is not Python: {error.msg}", "mend the line")
            )
    return problems
