"""What an exercise needs outside of the lesson's text: its check, pictures, references, right and wrong answers."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from types import ModuleType

from nbformat import NotebookNode

from attnlab import check, figures
from attnlab.check.in_parts import Parts
from authoring.answer_files import answers_to
from authoring.errors import BuildError, Problem
from authoring.exercises import Exercise, find_exercises
from authoring.lessons import Lesson, cell_label
from authoring.references import lint_references

RIGHT, WRONG = 6, 4  # the fewest answers with which the tests of an exercise are tested


def lint_beside(lesson: Lesson, source: NotebookNode) -> list[Problem]:
    """What is missing beside a lesson's text."""
    return [*_calls(lesson, source), *lint_references(lesson, source), *_answers(lesson, source)]


def _calls(lesson: Lesson, source: NotebookNode) -> Iterator[Problem]:
    """Names of `check` and `figures` that a cell uses and that do not exist."""
    exercises = find_exercises(source)
    for index, cell in enumerate(source.cells):
        if cell.cell_type != "code":
            continue
        used = {
            (node.value.id, node.attr)
            for node in ast.walk(ast.parse(cell.source))
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        }
        exercise = next((found for found in exercises if index in found.tests), None)
        used -= {("check", name) for name in dir(Parts) if "check.in_parts(" in cell.source}
        for module in (check, figures):
            for name in sorted(name for owner, name in used if owner == module.__name__.split(".")[1] and not hasattr(module, name)):
                yield Problem(lesson.shown(lesson.text), cell_label(source, index), *_missing(lesson, module, name, exercise))


def _missing(lesson: Lesson, module: ModuleType, name: str, exercise: Exercise | None) -> tuple[str, str]:
    """What is said of a name that a module of `attnlab` lacks, and what to do."""
    short = module.__name__.split(".")[1]
    if module is check and exercise and name == exercise.name:
        file = lesson.shown(lesson.exercises / f"{name}.py")
        return f"the exercise `{name}` has no visible check: there is no {file}", "write it after the model of lesson 1's `softmax.py`"
    near = difflib.get_close_matches(name, module.__all__, n=1)
    return (
        f"`{short}.{name}` does not exist",
        (f"did you mean `{short}.{near[0]}`? " if near else "") + f"attnlab/{short}/__init__.py lists what there is",
    )


def _answers(lesson: Lesson, source: NotebookNode) -> Iterator[Problem]:
    """Exercises without enough right and wrong answers, and files of answers to no exercise."""
    names = [exercise.name for exercise in find_exercises(source) if not exercise.is_prediction]
    for name in names:
        path = lesson.shown(lesson.answers / f"{name}.py")
        try:
            answers = answers_to(lesson, name).values()
        except BuildError as error:
            yield from error.problems
            continue
        right = sum(answer.right for answer in answers)
        if not answers:
            yield Problem(
                path,
                "whole file",
                f"there are no answers to `{name}`, so nothing shows what its hidden tests are worth",
                f"write {RIGHT} right and {WRONG} wrong ones there, as authoring/README.md says",
            )
        elif right < RIGHT or len(answers) - right < WRONG:
            yield Problem(
                path,
                "whole file",
                f"it holds {right} right and {len(answers) - right} wrong answers",
                f"write at least {RIGHT} right and {WRONG} wrong ones, as authoring/README.md says",
            )
    for path in sorted(lesson.answers.glob("*.py")):
        if path.stem not in names:
            yield Problem(
                lesson.shown(path), "whole file", f"the lesson has no exercise `{path.stem}`", "name the file after an exercise, or delete it"
            )
