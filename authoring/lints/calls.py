"""`check.choice` says which question it stands for, so that progress counts the right one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nbformat import NotebookNode

from authoring.errors import Problem
from authoring.exercises import ExerciseCells, find_exercises
from authoring.lessons import Lesson, cell_label

NOTING = "check.choice"


def lint_calls(lesson: Lesson, source: NotebookNode) -> list[Problem]:
    """Calls that note a value under another exercise's name or outside of a test cell, and values that none notes."""
    problems = []
    owners = {test: exercise for exercise in find_exercises(source) for test in exercise.tests}
    for index, cell in enumerate(source.cells):
        if cell.cell_type == "code":
            problems += [
                Problem(lesson.shown(lesson.text), cell_label(source, index), what, next_step)
                for what, next_step in _calls(cell.source, owners.get(index))
            ]
    for exercise in owners.values():
        if exercise.asks_for_values:
            noted = {name for test in exercise.tests for call in _noting(source.cells[test].source) for name in _learners(call)}
            problems += [
                Problem(
                    lesson.shown(lesson.text),
                    cell_label(source, exercise.tests[0]),
                    f"nothing notes `{name}`",
                    f'call `{NOTING}("{exercise.name}", {name}, ...)` with what may be chosen',
                )
                for name in sorted(exercise.asks_for - noted)
            ]
    return problems


def _calls(source: str, owner: ExerciseCells | None) -> Iterator[tuple[str, str]]:
    for call in _noting(source):
        if owner is None or not owner.asks_for_values:
            yield f"`{NOTING}` stands in a cell that tests no question", "move the call to the test cell of what it notes"
        elif not call.args or not isinstance(call.args[0], ast.Constant) or call.args[0].value != owner.name:
            yield f"`{NOTING}` does not begin with its own exercise", f'write `{NOTING}("{owner.name}", ...)`'


def _noting(source: str) -> list[ast.Call]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and ast.unparse(node.func) == NOTING]


def _learners(call: ast.Call) -> list[str]:
    """The name of the value that a call notes."""
    return [call.args[1].id] if len(call.args) > 1 and isinstance(call.args[1], ast.Name) else []
