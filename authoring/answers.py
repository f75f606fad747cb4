"""Answers in notebooks, and the namespaces that hold what they define. `answer_files.py` reads the files that they stand in."""

from __future__ import annotations

import ast
import contextlib
import copy
import io
import linecache
import re
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

from nbformat import NotebookNode

from authoring.answer_files import Answer
from authoring.exercises import defined_names
from authoring.lessons import grade_id
from nbjudge import is_skipped, is_test

DRAWS = re.compile(r"\b(figures|check|plt)\.")  # cells that only show something: no answer needs what they define


def fill_in(released: NotebookNode, sources: dict[str, str]) -> NotebookNode:
    """A copy of a released notebook with the given sources in the cells of the given grade ids.

    Raises:
        KeyError: the notebook has no such cell.
    """
    notebook = copy.deepcopy(released)
    cells = {grade_id(cell): cell for cell in notebook.cells if grade_id(cell)}
    for name, source in sources.items():
        cells[name].source = source
    return notebook


def solution_sources(notebook: NotebookNode) -> dict[str, str]:
    """The text of every cell that a learner fills in, from a notebook with the answers in."""
    return {grade_id(cell): cell.source for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution")}


class Namespace(dict):
    """The names that a learner's notebook holds once its cells have run: without kernel, pictures, test cells and those that grading skips.

    Args:
        notebook: a notebook with all answers in.
        answer: takes the place of the notebook's own answer to one exercise. Then only the cells run that this exercise needs: its own,
            and those that define what they use.
    """

    def __init__(self, notebook: NotebookNode, answer: Answer | None = None):
        super().__init__(__name__="__main__")
        cells = [
            (f"<cell {index + 1}>", cell.source, grade_id(cell))
            for index, cell in enumerate(notebook.cells)
            if cell.cell_type == "code" and not (is_test(cell) or is_skipped(cell) or DRAWS.search(cell.source))
        ]
        if answer:
            file = f"{answer.place} ({answer.key})"
            linecache.cache[file] = (len(answer.source), None, answer.source.splitlines(keepends=True), file)  # messages quote the line
            cells = needed_for(
                [(file, answer.source, name) if name == answer.exercise else (other, source, name) for other, source, name in cells], answer.exercise
            )
        for file, source, _ in cells:
            run_quietly(source, file, self)


def needed_for(cells: list[tuple[Any, str, str]], exercise: str) -> list[tuple[Any, str, str]]:
    """The cells up to an exercise's own that define what it uses, and what they use in turn.

    Args:
        cells: for each code cell that is no test: anything, its text, and its grade id.
    """
    wanted: frozenset[str] = frozenset()
    needed = []
    for cell in reversed(cells):
        defines, uses = _names(cell[1])
        if cell[2] == exercise or (needed and defines & wanted):
            needed.append(cell)
            wanted |= uses
    return needed[::-1]


@cache
def _names(source: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names that a cell defines or changes, and those that it mentions. One that cannot be read defines nothing."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError:
        return frozenset(), frozenset()
    names = [node for node in nodes if isinstance(node, ast.Name)]
    changed = [node.value for node in nodes if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load)]
    defines = defined_names(source) | {node.id for node in changed if isinstance(node, ast.Name)}
    return frozenset(defines), frozenset(node.id for node in names)


def run_quietly(source: str, name: str, namespace: dict[str, Any]) -> tuple[BaseException | None, str]:
    """Run a cell's text; return what it raised, or None, and what it printed."""
    error, printed, _ = _run(lambda: exec(compile(source, name, "exec"), namespace))  # the answers are files of this project
    return error, printed


def run_test(source: str, points: float, namespace: dict[str, Any]) -> tuple[float, str]:
    """Run a test cell; return the points that nbgrader gives for it, and everything that it printed or raised.

    Args:
        source: the whole cell, with its hidden tests.
        points: what it is worth. A number that its last line gives is a part of them.
    """

    def cell() -> Any:
        body = ast.parse(source, "<test>")
        last = ast.Expression(body.body.pop().value) if isinstance(body.body[-1], ast.Expr) else ast.Expression(ast.Constant(None))
        exec(compile(body, "<test>", "exec"), namespace)
        return eval(compile(ast.fix_missing_locations(last), "<test>", "eval"), namespace)

    error, printed, value = _run(cell)
    if error:
        return 0, f"{printed}{error}"
    return points if value is None else value, printed


def _run(cell: Callable[[], Any]) -> tuple[BaseException | None, str, Any]:
    """What a cell raised, printed and gave."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = cell()
        except (Exception, SystemExit) as error:
            return error, printed.getvalue(), None
    return None, printed.getvalue(), value
