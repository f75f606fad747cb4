"""Predictions: the question and its answer stand in the lesson's text, choices and reason in `predictions.toml` beside it.

The build takes them into `attnlab/data`, where `check.reveal` finds them, so that no notebook holds an answer.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from typing import Any

from nbformat import NotebookNode

from authoring.errors import BuildError, Problem
from authoring.exercises import ExerciseCells, find_predictions, names_made_only_in
from authoring.lessons import Lesson, cell_label, find_lessons

SHAPE = "any shape"
QUESTION = "**Predict first.**"
FORM = f'[predict_name], choices = ["yes", "no"] or "{SHAPE}", because = "the reason"'


def predictions(lesson: Lesson, notebook: NotebookNode) -> dict[str, dict[str, Any]]:
    """For the grade id of each prediction: the variable, its choices, or none for any shape, the right one, and why."""
    described = _described(lesson)
    return {
        exercise.name: {
            "variable": min(exercise.asks_for),
            "choices": [] if described[exercise.name]["choices"] == SHAPE else described[exercise.name]["choices"],
            "answer": _answer(exercise, notebook),
            "because": described[exercise.name]["because"],
        }
        for exercise in find_predictions(notebook)
    }


def lint_predictions(lesson: Lesson, source: NotebookNode) -> list[Problem]:
    """What the predictions of a lesson lack, and cells that show an answer to those who chose none."""
    try:
        described = _described(lesson)
    except BuildError as error:
        return error.problems
    asked = {exercise.name: exercise for exercise in find_predictions(source)}
    problems = [
        Problem(lesson.shown(lesson.text), cell_label(source, exercise.solution), what, next_step)
        for exercise in asked.values()
        for what, next_step in _lacks(exercise, source, described.get(exercise.name))
    ]
    problems += [
        Problem(lesson.shown(lesson.predictions), f"[{name}]", "the lesson has no such prediction", "name it after the grade id of one, or delete it")
        for name in sorted(described.keys() - asked.keys())
    ]
    problems += [
        Problem(
            lesson.shown(lesson.predictions),
            f"[{name}]",
            f"{other.assignment} has a prediction of that name, too",
            "rename one: check.reveal finds it by name",
        )
        for other in find_lessons(lesson.root)
        if other != lesson
        for name in sorted(described.keys() & _described(other).keys())
    ]
    return [*problems, *_closed(lesson, source)]


def _described(lesson: Lesson) -> dict[str, dict[str, Any]]:
    """What the file beside the text says.

    Raises:
        BuildError: it is no TOML, or one of its tables has another form.
    """
    if not lesson.predictions.exists():
        return {}
    path = lesson.shown(lesson.predictions)
    try:
        described = tomllib.loads(lesson.predictions.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BuildError([Problem(path, "whole file", f"it is not TOML: {error}", "mend the line that the message names")]) from error
    if wrong := [name for name, entry in described.items() if not _is_complete(entry)]:
        raise BuildError([Problem(path, f"[{name}]", "it has not just choices and a reason", f"write {FORM}") for name in wrong])
    return described


def _is_complete(entry: Any) -> bool:
    if not isinstance(entry, dict) or entry.keys() != {"choices", "because"}:
        return False
    choices = entry["choices"]
    return bool(entry["because"]) and isinstance(entry["because"], str) and (choices == SHAPE or (isinstance(choices, list) and len(choices) > 1))


def _lacks(exercise: ExerciseCells, source: NotebookNode, entry: dict[str, Any] | None) -> Iterator[tuple[str, str]]:
    question = source.cells[exercise.solution - 1].source
    if QUESTION not in question:
        yield "the prediction has no question", f"start the text above it with {QUESTION}"
    if exercise.tests:
        yield "the prediction has a test cell", "delete it: predictions earn no points"
    if not any(exercise.name in _revealed(cell) for cell in source.cells[exercise.solution + 1 :]):
        yield "the prediction is never answered", f'start a cell below it with check.reveal("{exercise.name}")'
    if entry is None:
        yield "the prediction has no choices and no reason", f"write {FORM} into predictions.toml"
    elif entry["choices"] != SHAPE:
        if _answer(exercise, source) not in entry["choices"]:
            yield f"its answer {_answer(exercise, source)!r} is not one of the choices of predictions.toml", "mend one of the two"
        if missing := [choice for choice in entry["choices"] if f"`{_shown(choice)}`" not in question]:
            yield f"the question does not name the choice `{_shown(missing[0])}`", "name every choice in it, between backticks"


def _shown(choice: Any) -> str:
    """A choice as a learner types it."""
    return f'"{choice}"' if isinstance(choice, str) else repr(choice)


def _closed(lesson: Lesson, source: NotebookNode) -> Iterator[Problem]:
    """Calls of `check.reveal` that something stands above, and names that only cells with one make and other cells read."""
    for index, cell in enumerate(source.cells):
        if _revealed(cell) and not cell.source.startswith("check.reveal("):
            yield Problem(
                lesson.shown(lesson.text),
                cell_label(source, index),
                "something stands above `check.reveal`",
                "make it the first line: those who did not choose see nothing of the cell",
            )
    for index, name, made in names_made_only_in(source, lambda cell: bool(_revealed(cell))):
        yield Problem(
            lesson.shown(lesson.text),
            cell_label(source, index),
            f"reads `{name}`, which {cell_label(source, made)} makes; without a choice that cell stops",
            "make the name in another cell",
        )


def _revealed(cell: NotebookNode) -> list[str]:
    """The predictions that a cell answers."""
    if cell.cell_type != "code" or "check.reveal(" not in cell.source:
        return []
    calls = (node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Call) and ast.unparse(node.func) == "check.reveal")
    return [ast.literal_eval(call.args[0]) for call in calls if call.args]


def _answer(exercise: ExerciseCells, source: NotebookNode) -> Any:
    """What the cell of a prediction assigns."""
    [line] = ast.parse(source.cells[exercise.solution].source).body
    assert isinstance(line, ast.Assign)
    return ast.literal_eval(line.value)
