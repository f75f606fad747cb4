"""Answers as files, the notebooks and the namespaces that hold them."""

from __future__ import annotations

import ast
import contextlib
import copy
import io
import re
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from authoring.exercises import defined_names
from authoring.lessons import Lesson, grade_id
from examiner.judge.instructor import is_test

HEADER = re.compile(r"# (?P<key>wrong|says): *(?P<text>.+)")
DRAWS = re.compile(r"\b(figures|check|plt)\.")  # cells that only show something: no answer needs what they define
HIDDEN_ONLY = "only the hidden tests see it"


@dataclass(frozen=True)
class Answer:
    """One answer that a learner could give to one exercise.

    A wrong one begins with two comment lines: `# wrong: ...` says what is wrong, `# says: ...` gives a fragment of the
    visible check's message, or the words "only the hidden tests see it".
    """

    path: Path
    exercise: str
    right: bool
    source: str
    wrong: str = ""
    says: str = ""

    @property
    def is_hidden_only(self) -> bool:
        return self.says == HIDDEN_ONLY


def read_answer(path: Path) -> Answer:
    """Read `<exercise>/<right or wrong>/<name>.py`.

    Raises:
        ValueError: a wrong answer does not say what is wrong and what it must be told.
    """
    source = path.read_text(encoding="utf-8")
    right = path.parent.name == "right"
    header = {found["key"]: found["text"].strip() for found in map(HEADER.fullmatch, source.splitlines()[:4]) if found}
    if not right and set(header) != {"wrong", "says"}:
        raise ValueError(f"{path}: a wrong answer starts with the lines `# wrong: ...` and `# says: ...`")
    return Answer(path, path.parent.parent.name, right, source, **({} if right else header))


def find_answers(lesson: Lesson) -> list[Answer]:
    """Every answer file of a lesson, in order."""
    return [read_answer(path) for path in sorted(lesson.answers.glob("*/*/*.py"))]


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
    return {grade_id(cell): cell.source for cell in notebook.cells
            if cell.metadata.get("nbgrader", {}).get("solution")}


class Namespace(dict):
    """The names that a learner's notebook holds once its cells have run: without kernel, pictures and test cells.

    Args:
        notebook: a notebook with all answers in.
        answer: takes the place of the notebook's own answer to one exercise. Then only the cells run that this exercise needs: its own,
            and those that define what they use.
    """

    def __init__(self, notebook: NotebookNode, answer: Answer | None = None):
        super().__init__(__name__="__main__")
        cells = [(f"<cell {index + 1}>", cell.source, grade_id(cell)) for index, cell in enumerate(notebook.cells)
                 if cell.cell_type == "code" and not is_test(cell) and not DRAWS.search(cell.source)]
        if answer:
            cells = needed_for([(str(answer.path), answer.source, name) if name == answer.exercise else (file, source, name)
                                 for file, source, name in cells], answer.exercise)
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
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(source, name, "exec"), namespace)  # the answers are files of this project
        except (Exception, SystemExit) as error:
            return error, printed.getvalue()
    return None, printed.getvalue()
