"""Notebooks of an instructor's: what is given, what is solved, what is tested."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from nbformat import NotebookNode

from nbjudge._wire.limits import Limits
from nbjudge.testing.notebooks import code, notebook, test_cell

LIMITS = Limits(test_seconds=5, cell_seconds=5)


@dataclass(frozen=True)
class Given:
    source: str
    locked: bool = True


@dataclass(frozen=True)
class Solution:
    source: str


def plain(source: str) -> Given:
    return Given(source, locked=False)


def build(*parts: Given | Solution | str) -> NotebookNode:
    """A notebook; a string is a test cell of one point, named t1, t2, ..."""
    cells, numbers = [], itertools.count(1)
    for index, part in enumerate(parts):
        if isinstance(part, str):
            cells.append(test_cell(f"t{next(numbers)}", part))
        elif isinstance(part, Solution):
            cells.append(code(part.source, solution=True, grade_id=f"s{index}", cell_type="code"))
        else:
            cells.append(code(part.source, locked=True, grade_id=f"g{index}", cell_type="code") if part.locked else code(part.source))
    return notebook(*cells)


def handed_in(instructors: NotebookNode, *answers: str) -> NotebookNode:
    """The notebook with a student's answers in the place of the solutions, in order."""
    submitted, left = notebook(*instructors.cells), iter(answers)
    for cell in submitted.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = next(left)
    return submitted


SQUARE = Solution("def square(x):\n    return x * x")
EMPTY = "def square(x):\n    return None"
