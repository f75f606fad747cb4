"""What a lesson's notebook holds: its exercises, predictions and written answers."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from nbformat import NotebookNode

from authoring.lessons import grade_id
from nbjudge import is_test, names_from_outside

CARD = re.compile(r"^> \*\*(?P<kind>Exercise|Clinic) (?P<number>[\w.]+) · `(?P<name>\w+)`\*\*(?P<rest>.*)$", re.MULTILINE)
PREDICTION = "predict_"
TEST = "_test"


@dataclass
class ExerciseCells:
    """One thing that the learner writes, with the cells around it. Cells are given by their place in the notebook.

    `name` is the grade id of the solution cell; `asks_for` are the names that this cell defines.
    """

    name: str
    solution: int
    asks_for: set[str]
    defines_callable: bool
    tests: list[int] = field(default_factory=list)
    card: str = ""
    card_cell: int | None = None
    picture: int | None = None
    points: int = 0

    @property
    def asks_for_values(self) -> bool:
        """Whether the answer is values, not a function or a class: then there is nothing to call and nothing to draw."""
        return not self.defines_callable

    @property
    def minutes(self) -> int:
        """What the card says, or 0."""
        found = re.search(r"(\d+) min\b", self.card)
        return int(found.group(1)) if found else 0


def find_exercises(notebook: NotebookNode) -> list[ExerciseCells]:
    """The exercises with code, in order. Predictions and written answers are not among them."""
    return [cells for cells in to_fill_in(notebook) if not cells.name.startswith(PREDICTION)]


def find_predictions(notebook: NotebookNode) -> list[ExerciseCells]:
    """The predictions, in order."""
    return [cells for cells in to_fill_in(notebook) if cells.name.startswith(PREDICTION)]


def to_fill_in(notebook: NotebookNode) -> list[ExerciseCells]:
    """Everything with code that a learner fills in, in order: exercises and predictions."""
    exercises = [
        ExerciseCells(grade_id(cell), index, defined_names(cell.source), _defines_callable(cell.source))
        for index, cell in enumerate(notebook.cells)
        if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("solution")
    ]
    for exercise in exercises:
        exercise.tests = [index for index, cell in enumerate(notebook.cells) if _tests(cell, exercise.name)]
        exercise.points = sum(notebook.cells[index].metadata.nbgrader.points for index in exercise.tests)
        for index, cell in enumerate(notebook.cells):
            if cell.cell_type == "markdown":
                found = next((card for card in CARD.finditer(cell.source) if card["name"] == exercise.name), None)
                if found:
                    exercise.card, exercise.card_cell = cell.source[found.start() :], index
            elif f'figures.compare("{exercise.name}"' in cell.source:
                exercise.picture = index
    return exercises


def names_made_only_in(notebook: NotebookNode, chosen: Callable[[NotebookNode], bool]) -> Iterator[tuple[int, str, int]]:
    """Names that only some of the cells make and one of the others reads: where it is read, the name, where it is made.

    Args:
        chosen: whether a cell with code is one of them.
    """
    made: dict[str, int] = {}
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        if chosen(cell):
            made.update(dict.fromkeys(defined_names(cell.source), index))
            continue
        yield from ((index, name, made[name]) for name in sorted(names_from_outside(cell.source) & made.keys()))
        for name in defined_names(cell.source):
            made.pop(name, None)


def written_answers(notebook: NotebookNode) -> list[int]:
    """The places of the cells that an instructor grades by hand."""
    return [index for index, cell in enumerate(notebook.cells) if cell.cell_type == "markdown" and cell.metadata.get("nbgrader", {}).get("grade")]


def total_points(notebook: NotebookNode) -> int:
    """All points of the lesson, automatic and by hand."""
    return sum(cell.metadata.nbgrader.points for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade"))


def defined_names(source: str) -> set[str]:
    """The names that a cell binds at its top level, in assignments, `def`, `class`, imports and loops."""
    names: set[str] = set()
    for statement in ast.parse(source).body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            names.add(statement.name)
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
    return names | imported_names(source)


def imported_names(source: str) -> set[str]:
    """The names that a cell's imports bind."""
    return {
        (alias.asname or alias.name).split(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }


def _defines_callable(source: str) -> bool:
    return any(isinstance(statement, (ast.FunctionDef, ast.ClassDef)) for statement in ast.parse(source).body)


def _tests(cell: NotebookNode, name: str) -> bool:
    return is_test(cell) and re.fullmatch(rf"{re.escape(name)}{TEST}(_\w+)?", grade_id(cell)) is not None
