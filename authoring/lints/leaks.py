"""No answer and no hidden test may stand in a released notebook: compared as text and as syntax."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from nbformat import NotebookNode

from authoring.errors import Problem
from authoring.lessons import Lesson, cell_label
from nbjudge import Markers

SECRETS = (Markers(), Markers("BEGIN SOLUTION", "END SOLUTION"))  # nbgrader finds both by the same rule
MARKER = re.compile(r"(BEGIN|END) (SOLUTION|HIDDEN TESTS|MARK SCHEME)")
SHORTEST = 12  # characters; shorter lines and expressions ("return y") stand in any code
COMMON = re.compile(r"(import \w+|from \w+ import \w+)( as \w+)?")


def lint_leaks(lesson: Lesson, source: NotebookNode, released: NotebookNode) -> list[Problem]:
    """Cells of the released notebook that hold a line, or a piece of syntax, of an answer or a hidden test."""
    public = [SECRETS[0].visible(SECRETS[1].visible(cell.source)) for cell in source.cells]
    shown_lines = {line for text in public for line in _lines(text)}
    shown_trees = {tree for cell, text in zip(source.cells, public) if cell.cell_type == "code" for tree in _trees(text)}
    secrets = [(index, secret.hidden(cell.source)) for index, cell in enumerate(source.cells) for secret in SECRETS]
    secret_lines = {line: index for index, text in secrets for line in _lines(text) if line not in shown_lines}
    secret_trees = {
        tree: index for index, text in secrets if source.cells[index].cell_type == "code" for tree in _trees(text) if tree not in shown_trees
    }
    problems = []
    for index, cell in enumerate(released.cells):
        for what in _leaks(cell, secret_lines, secret_trees, source):
            problems.append(
                Problem(
                    lesson.shown(lesson.released),
                    cell_label(released, index),
                    what,
                    f"put it between the markers in {lesson.shown(lesson.text)}, or write the public text in other words",
                )
            )
    return problems


def _leaks(cell: NotebookNode, lines: dict[str, int], trees: dict[str, int], source: NotebookNode) -> Iterator[str]:
    if MARKER.search(cell.source):
        yield "holds a marker of an answer or a hidden test"
    for line in _lines(cell.source):
        if line in lines:
            yield f"holds the line `{line}` of {cell_label(source, lines[line])}"
    if cell.cell_type == "code":
        for tree in _trees(cell.source):
            if tree in trees:
                yield f"holds `{tree}`, which is a piece of {cell_label(source, trees[tree])} in another layout"


def _lines(text: str) -> set[str]:
    """The lines that say something, without comments and layout."""
    lines = (re.sub(r"\s+", " ", line.split("  #")[0]).strip() for line in text.splitlines())
    return {line for line in lines if len(line) >= SHORTEST and not COMMON.fullmatch(line)}


def _trees(text: str) -> set[str]:
    """Statements and larger expressions in one fixed layout, so that spaces, quotes and comments do not matter."""
    try:
        module = ast.parse(_dedent(text))
    except SyntaxError:
        return set()
    pieces = (ast.unparse(node) for node in ast.walk(module) if isinstance(node, (ast.Assign, ast.AugAssign, ast.Return, ast.Assert, ast.Raise)))
    return {piece for piece in pieces if len(piece) >= SHORTEST and "NotImplementedError" not in piece}


def _dedent(text: str) -> str:
    """The text as a module of its own: an answer stands inside a function, with `return` at its top level."""
    lines = [line for line in text.splitlines() if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return "\n".join(line[margin:] for line in lines)
