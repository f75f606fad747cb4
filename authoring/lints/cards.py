"""Every exercise has its card, helps, visible check, reference, picture, minutes and points."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from nbformat import NotebookNode

from authoring.errors import Problem
from authoring.exercises import CARD, ExerciseCells, find_exercises
from authoring.lessons import Lesson, cell_label
from nbjudge import Markers

HELPS = ("A nudge", "Pseudocode", "Worked by hand")
PARTS = re.compile(r"^> - \*\*points\*\* (?P<parts>.*)$", re.MULTILINE)


def lint_cards(lesson: Lesson, source: NotebookNode) -> list[Problem]:
    """What the exercises of a lesson lack."""
    return [
        Problem(lesson.shown(lesson.text), cell_label(source, exercise.solution), what, next_step)
        for exercise in find_exercises(source)
        for what, next_step in _exercise(exercise, source)
    ] + _miscounted(lesson, source)


def _miscounted(lesson: Lesson, source: NotebookNode) -> list[Problem]:
    """Cards of exercises that are not numbered 1, 2, 3 from the top."""
    numbered = [
        (index, found["name"], found["number"])
        for index, cell in enumerate(source.cells)
        if cell.cell_type == "markdown"
        for found in CARD.finditer(cell.source)
        if found["kind"] == "Exercise"
    ]
    return [
        Problem(
            lesson.shown(lesson.text),
            f"cell {index + 1} (the card of `{name}`)",
            f"it is called exercise {number}, and is number {place}",
            f"call it exercise {place}, also where the lesson's text speaks of it",
        )
        for place, (index, name, number) in enumerate(numbered, 1)
        if number != str(place)
    ]


def _exercise(exercise: ExerciseCells, source: NotebookNode) -> Iterator[tuple[str, str]]:
    if not exercise.tests:
        yield "the exercise has no test cell", f"add a cell with the grade id `{exercise.name}_test`"
    elif not any("check." in Markers().visible(source.cells[test].source) for test in exercise.tests):
        yield "the exercise has no visible check", f"call `check.{exercise.name}({exercise.name})` above the hidden tests"
    if exercise.card_cell is None:
        yield "the exercise has no card", f"write `> **Exercise N · `{exercise.name}`**   ●○○ difficulty · 8 min · 2 points` above it"
        return
    if exercise.card_cell > exercise.solution:
        yield "the card stands below the cell for the answer", "move it above"
    for help_name in HELPS:
        if f"<summary>{help_name}</summary>" not in exercise.card:
            yield f"the card has no help called “{help_name}”", f"add <details><summary>{help_name}</summary> to the card"
    if not exercise.minutes:
        yield "the card does not say how many minutes", "add `8 min` to its first line"
    if f"{exercise.points} point" not in exercise.card.splitlines()[0]:
        yield f"the card does not say the {exercise.points} points of its test cells", "mend its first line"
    if "●" not in exercise.card.splitlines()[0]:
        yield "the card does not say how difficult it is", "add ●○○, ●●○ or ●●● to its first line"
    yield from _parts(exercise, source)
    if exercise.asks_for_values:
        return
    if "Shown below:" not in exercise.card:
        yield "the card does not name the visible reference", "add a line `> Shown below: ...` with the input that is shown"
    if exercise.picture is None:
        yield "the exercise has no picture", f'add a cell with `figures.compare("{exercise.name}", {exercise.name})`'


def _parts(exercise: ExerciseCells, source: NotebookNode) -> Iterator[tuple[str, str]]:
    """The card says which parts of the answer earn points of their own, in the words and the order of the test cell."""
    told = PARTS.search(exercise.card)
    calls = [
        node
        for test in exercise.tests
        for node in ast.walk(ast.parse(source.cells[test].source))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "check.in_parts"
    ]
    if not calls:
        if told:
            yield (
                "the card promises points for parts, and no test cell has parts",
                "call check.in_parts in its hidden tests, or take the line `points` from the card",
            )
        return
    name, worth = (ast.literal_eval(argument) for argument in calls[0].args)
    row = " · ".join(f"{part} {points:g}" for part, points in worth.items())
    if name != exercise.name:
        yield f"its test cell has the parts of `{name}`", f'write check.in_parts("{exercise.name}", ...)'
    if sum(worth.values()) != exercise.points:
        yield f"the parts are worth {sum(worth.values()):g} points, the test cells {exercise.points}", "mend one of the two"
    if not told or told["parts"] != row:
        yield "the card does not say which parts earn points", f"give it the line `- **points** {row}`"
