"""Small notebooks, cell by cell, as nbgrader knows them."""

from __future__ import annotations

import copy
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.utils import compute_checksum


def code(source: str, **about: Any) -> NotebookNode:
    """A code cell; keywords are its nbgrader metadata."""
    usual = {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3}
    return new_code_cell(source.strip("\n"), metadata={"nbgrader": {**usual, **about}} if about else {})


def test_cell(name: str, source: str, points: float = 1) -> NotebookNode:
    """An autograder-test cell."""
    cell = code(source, grade=True, locked=True, grade_id=name, points=points, cell_type="code")
    cell.metadata.nbgrader.checksum = compute_checksum(cell)
    return cell


test_cell.__dict__["__test__"] = False  # for pytest, which would collect it


def notebook(*cells: NotebookNode | str) -> NotebookNode:
    """A notebook of cells; a string is a student's cell."""
    kernel = {"kernelspec": {"name": "python3", "language": "python", "display_name": "Python 3"}}
    return new_notebook(cells=[code(cell) if isinstance(cell, str) else copy.deepcopy(cell) for cell in cells], metadata=kernel)
