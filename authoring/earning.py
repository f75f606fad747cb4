"""What earns points in a lesson, in the order of its notebook: what progress counts and messages call by name."""

from __future__ import annotations

import ast
import copy
import re
from typing import Any

from nbformat import NotebookNode

from authoring.exercises import defined_names, find_exercises, written_answers
from authoring.lessons import Lesson, grade_id
from authoring.preprocessors import ClearSolutionsWithStubs
from authoring.release import course_settings

HEADING = re.compile(r"^#{2,} (.+)$", re.MULTILINE)
NUMBER = re.compile(r"> \*\*((?:Exercise|Clinic) [\w.]+) · ")


def earning(lesson: Lesson, notebook: NotebookNode) -> dict[str, dict[str, Any]]:
    """For the grade id of each cell that a learner fills in: its kind, its points, a title, and what tells that it is filled in.

    Exercises have the parameters of their function, or of their class when it is made; what is asked for as values has their names;
    a written answer has the text that the release puts in its place.
    """
    stubs, _ = ClearSolutionsWithStubs(config=course_settings(lesson)).preprocess(copy.deepcopy(notebook), {})
    found: dict[int, dict[str, Any]] = {}
    for exercise in find_exercises(notebook):
        stub = stubs.cells[exercise.solution].source
        numbered = NUMBER.match(exercise.card)
        entry = {"kind": "exercise", "title": f"{numbered[1]} · {exercise.name}" if numbered else exercise.name, "points": exercise.points}
        if exercise.asks_for_values:
            entry["kind"] = "question"
            entry["asks_for"] = sorted(defined_names(stub), key=stub.index)
        else:
            entry |= {"asks_for": [exercise.name], "parameters": _parameters(stub, exercise.name)}
        found[exercise.solution] = entry
    for index in written_answers(notebook):
        found[index] = {
            "kind": "written answer",
            "title": f"Written answer · {_heading_above(notebook, index)}",
            "points": notebook.cells[index].metadata.nbgrader.points,
            "placeholder": stubs.cells[index].source,
        }
    return {grade_id(notebook.cells[index]): found[index] for index in sorted(found)}


def _heading_above(notebook: NotebookNode, index: int) -> str:
    headings = [heading for cell in notebook.cells[:index] if cell.cell_type == "markdown" for heading in HEADING.findall(cell.source)]
    return re.sub(r"[*`]", "", headings[-1]) if headings else ""


def _parameters(stub: str, name: str) -> list[str]:
    """The names of the parameters of a function, or of what makes an object of a class, without `self`."""
    [defined] = [node for node in ast.parse(stub).body if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name]
    if isinstance(defined, ast.FunctionDef):
        return _names(defined.args)
    makers = [node for node in defined.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
    return _names(makers[0].args)[1:] if makers else []


def _names(arguments: ast.arguments) -> list[str]:
    return [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
