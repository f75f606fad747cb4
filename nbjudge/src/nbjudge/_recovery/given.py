"""What students were given: the released notebook, or what the instructor's own notebook and the gradebook say of it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import is_grade, is_locked, is_solution, is_task

from nbjudge._analysis.instructor import Markers
from nbjudge._recovery.cells import Given, Role, bound_names

WORD = re.compile(r"[^\W\d]\w*")


def given_cells(course: CourseDirectory, marks: list[Markers], db_url: str, assignment: str, notebook: str) -> list[Given]:
    """The cells of a notebook in the order in which students were given them.

    The names, the texts and the roles are the gradebook's. Cells that nbgrader does not know, and cell ids, come from the released
    notebook, where it is there and has the gradebook's cells, else from the instructor's.

    Args:
        marks: those of hidden tests and of marking schemes: students do not have what stands between them.

    Raises:
        MissingEntry: the gradebook does not know the notebook.
    """
    recorded = _recorded(marks, db_url, assignment, notebook)
    released, source = _both(course, assignment, notebook)
    return _with_names(_with_the_others(released, recorded) or _with_the_others(source, recorded) or list(recorded.values()), source)


def _both(course: CourseDirectory, assignment: str, notebook: str) -> tuple[list[NotebookNode], list[NotebookNode]]:
    """The cells of the released notebook and of the instructor's, as far as they are there."""
    released, source = (
        _read(Path(course.format_path(folder, ".", assignment), f"{notebook}.ipynb"))
        for folder in (course.release_directory, course.source_directory)
    )
    return released, source


def _with_names(cells: list[Given], source: list[NotebookNode]) -> list[Given]:
    """The cells with the names that their answers have to bind."""
    solutions = {_name(cell): cell.source for cell in source if is_solution(cell)}
    words = frozenset(word for cell in cells if not cell.is_answer for word in WORD.findall(cell.full or cell.text))
    return [replace(cell, binds=_bound(cell, solutions.get(cell.grade_id, ""), words)) for cell in cells]


def cells_in_files(course: CourseDirectory, marks: list[Markers], assignment: str, notebook: str) -> list[Given]:
    """The same of a notebook that the gradebook may not know yet, from the released notebook or the instructor's alone."""
    released, source = _both(course, assignment, notebook)
    cells = [
        Given(_name(cell), str(cell.get("id", "")), cell.cell_type, _visible(cell.source, marks), _role_of(cell), cell.source)
        for cell in released or source
    ]
    return _with_names(cells, source)


def _bound(cell: Given, solution: str, words: frozenset[str]) -> frozenset[str]:
    """What an answer has to bind: the names that the given text binds; if none, those of the solution that the rest of the notebook uses."""
    if not cell.is_answer or cell.kind != "code":
        return frozenset()
    return bound_names(cell.text) or frozenset(name for name in bound_names(solution) if name in words)


def _recorded(marks: list[Markers], db_url: str, assignment: str, notebook: str) -> dict[str, Given]:
    """The cells that nbgrader recorded when the assignment was generated, by their names, in order."""
    with Gradebook(db_url) as gradebook:
        found = gradebook.find_notebook(notebook, assignment)
        grades, solutions, tasks = ({cell.name for cell in cells} for cells in (found.grade_cells, found.solution_cells, found.task_cells))
        return {
            cell.name: Given(
                cell.name,
                "",
                cell.cell_type,
                _visible(cell.source, marks),
                _role(cell.name in grades, cell.name in solutions, cell.name in tasks, True),
                cell.source,
            )
            for cell in found.source_cells
        }


def _with_the_others(cells: list[NotebookNode], recorded: dict[str, Given]) -> list[Given]:
    """`recorded`, with the cells between; nothing where `cells` are another notebook's."""
    names = [_name(cell) for cell in cells]
    if set(filter(None, names)) != recorded.keys() or len(list(filter(None, names))) != len(recorded):
        return []
    result = []
    for name, cell in zip(names, cells):
        known = recorded.get(name)
        role = known.role if known else _role_of(cell)
        kind, text, full = (known.kind, known.text, known.full) if known else (cell.cell_type, cell.source, "")
        result.append(Given(name, str(cell.get("id", "")), kind, text, role, full))
    return result


def _visible(text: str, marks: list[Markers]) -> str:
    for one in marks:
        text = one.visible(text)
    return text


def _role_of(cell: NotebookNode) -> Role:
    return _role(is_grade(cell), is_solution(cell), is_task(cell), is_locked(cell)) if _name(cell) else "plain"


def _role(grade: bool, solution: bool, task: bool, locked: bool) -> Role:
    if grade and not solution:
        return "test"
    if solution:
        return "by hand" if grade else "answer"
    return "locked" if locked or task else "plain"


def _name(cell: NotebookNode) -> str:
    about: Any = cell.metadata.get("nbgrader")
    name = about.get("grade_id") if isinstance(about, dict) else None
    return name if isinstance(name, str) else ""


def _read(path: Path) -> list[NotebookNode]:
    """The cells of a notebook that is there, not to be changed."""
    try:
        about = path.stat()
        return _read_once(path, about.st_mtime_ns, about.st_size, about.st_ino)
    except (OSError, ValueError, nbformat.ValidationError):
        return []


@lru_cache(maxsize=64)
def _read_once(path: Path, *_: int) -> list[NotebookNode]:
    cells: list[NotebookNode] = nbformat.read(path, as_version=4).cells
    return cells
