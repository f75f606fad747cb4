"""What an exercise needs outside of the lesson's text: its own file, pictures, right and wrong answers."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator

from nbformat import NotebookNode

from attnlab import check, figures
from attnlab.check.in_parts import Parts
from authoring.answer_files import answers_to
from authoring.errors import BuildError, Problem
from authoring.exercises import find_exercises
from authoring.lessons import Lesson, cell_label
from authoring.references import lint_references

RIGHT, WRONG = 6, 4  # the fewest answers with which the tests of an exercise are tested


def lint_beside(lesson: Lesson, source: NotebookNode) -> list[Problem]:
    """What is missing beside a lesson's text."""
    return [*_calls(lesson, source), *lint_references(lesson, source), *_answers(lesson, source)]


def _calls(lesson: Lesson, source: NotebookNode) -> Iterator[Problem]:
    """Names of `check` and `figures` that a cell uses and that do not exist; the checks of the lesson's own exercises are asked for elsewhere."""
    exercises = find_exercises(source)
    for index, cell in enumerate(source.cells):
        if cell.cell_type != "code":
            continue
        used = {
            (node.value.id, node.attr)
            for node in ast.walk(ast.parse(cell.source))
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        }
        used -= {("check", exercise.name) for exercise in exercises}
        used -= {("check", name) for name in dir(Parts) if "check.in_parts(" in cell.source}
        for module in (check, figures):
            short = module.__name__.split(".")[1]
            for name in sorted(name for owner, name in used if owner == short and not hasattr(module, name)):
                near = difflib.get_close_matches(name, module.__all__, n=1)
                yield Problem(
                    lesson.shown(lesson.text),
                    cell_label(source, index),
                    f"`{short}.{name}` does not exist",
                    (f"did you mean `{short}.{near[0]}`? " if near else "") + f"attnlab/{short}/__init__.py lists what there is",
                )


def _answers(lesson: Lesson, source: NotebookNode) -> Iterator[Problem]:
    """Exercises without enough right and wrong answers, and files of answers to no exercise."""
    names = [exercise.name for exercise in find_exercises(source)]
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
