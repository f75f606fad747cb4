"""Test cells are self-contained and treat the learner's work as a black box. The rules are the syllabus's."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nbformat import NotebookNode

from authoring.errors import Problem
from authoring.exercises import ExerciseCells, defined_names, find_exercises, imported_names
from authoring.lessons import Lesson, cell_label
from nbjudge import names_from_outside

FORBIDDEN_MODULES = {
    "inspect": "reading the learner's source",
    "dis": "reading the learner's source",
    "gc": "looking into the learner's process",
    "pickle": "sending objects, not values",
}
FORBIDDEN_ATTRIBUTES = {
    "backward": "autograd across the call",
    "requires_grad_": "autograd across the call",
    "__code__": "reading the learner's source",
    "__globals__": "looking into the learner's process",
}


def lint_test_cells(lesson: Lesson, source: NotebookNode) -> list[Problem]:
    """Where test cells break the rules."""
    return _overwritten_names(lesson, source) + [
        Problem(lesson.shown(lesson.text), cell_label(source, test), what, next_step)
        for exercise in find_exercises(source)
        for test in exercise.tests
        for what, next_step in _problems(exercise, source.cells[test].source)
    ]


def _overwritten_names(lesson: Lesson, source: NotebookNode) -> list[Problem]:
    """Names that a test cell binds and an ordinary cell reads: hidden tests would change what the notebook shows."""
    exercises = find_exercises(source)
    tests = {
        test: defined_names(source.cells[test].source) - imported_names(source.cells[test].source)
        for exercise in exercises
        for test in exercise.tests
    }
    ordinary = [index for index, cell in enumerate(source.cells) if cell.cell_type == "code" and index not in tests]
    return [
        Problem(
            lesson.shown(lesson.text),
            cell_label(source, index),
            f"reads `{name}`, which {cell_label(source, test)} overwrites",
            "give one of the two another name",
        )
        for index in ordinary
        for test, names in tests.items()
        for name in sorted(names_from_outside(source.cells[index].source) & names)
    ]


def _problems(exercise: ExerciseCells, source: str) -> Iterator[tuple[str, str]]:
    for name in sorted(names_from_outside(source) - exercise.asks_for):
        yield (
            f"uses `{name}`, which it neither imports, defines nor asks the learner for",
            "import or define it in this cell; names of other cells are not there when it is graded",
        )
    for node in ast.walk(ast.parse(source)):
        yield from _black_box(node, exercise.asks_for)


def _black_box(node: ast.AST, learners: set[str]) -> Iterator[tuple[str, str]]:
    plain_values = "compare values, types, shapes: only plain values come back from the learner"
    if isinstance(node, ast.Compare) and any(isinstance(operator, (ast.Is, ast.IsNot)) for operator in node.ops):
        if not any(isinstance(side, ast.Constant) for side in (node.left, *node.comparators)):
            yield f"line {node.lineno} compares with `is`", plain_values
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("isinstance", "issubclass", "type"):
        if any(isinstance(argument, ast.Name) and argument.id in learners for argument in node.args):
            yield f"line {node.lineno} asks for the type of the learner's own object", plain_values
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
        for module in modules:
            if module.split(".")[0] in FORBIDDEN_MODULES:
                yield f"line {node.lineno} imports `{module}`: {FORBIDDEN_MODULES[module.split('.')[0]]}", plain_values
    elif isinstance(node, ast.Attribute) and node.attr in FORBIDDEN_ATTRIBUTES:
        yield f"line {node.lineno} uses `{node.attr}`: {FORBIDDEN_ATTRIBUTES[node.attr]}", "test gradients by finite differences"
