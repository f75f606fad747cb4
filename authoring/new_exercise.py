"""`python -m authoring exercise NAME LESSON`: the skeleton of a new exercise, in the three places where an exercise stands."""

from __future__ import annotations

import keyword
from pathlib import Path
from string import Template

from nbformat import NotebookNode

from attnlab import check
from authoring.exercises import CARD, PREDICTION, TEST, to_fill_in
from authoring.insertions import CannotInsert, in_text, place_in_text
from authoring.lessons import Lesson, grade_id, read_text
from authoring.lints.todo import lint_todo
from authoring.pairing import pair

TEMPLATES = Path(__file__).parent / "skeleton"
HEADING = "## TODO: a heading that says what the learner does, with a verb\n\n"


class Refused(Exception):
    """The skeleton is not written: what stands against it, and the next step."""

    def __init__(self, what: str, next_step: str):
        super().__init__(f"{what}. Nothing was written.\nNext: {next_step}.")


def find_lesson(lessons: list[Lesson], wanted: str) -> Lesson:
    """The lesson with this number or name, or the only one whose name begins so.

    Raises:
        Refused: there is none, or more than one.
    """
    exact = [lesson for lesson in lessons if wanted in (lesson.assignment, lesson.number)]
    found = exact or [lesson for lesson in lessons if wanted and lesson.assignment.startswith(wanted)]
    if len(found) != 1:
        choice = ", ".join(lesson.assignment for lesson in found or lessons)
        what = f"more than one lesson begins with `{wanted}`" if found else f"there is no lesson `{wanted}`" if wanted else "no lesson is named"
        raise Refused(what, f"say LESSON={(found or lessons)[0].number}, or another of: {choice}")
    return found[0]


def write_exercise(name: str, lesson: Lesson, lessons: list[Lesson], after: str = "") -> list[str]:
    """Write the skeleton of the exercise `name` into a lesson, behind the exercise `after` or at the lesson's end.

    Returns:
        The places that were written, as "source/…/lesson.md:120", the line of the first TODO.

    Raises:
        Refused: the name cannot be taken, or one of the places cannot be written; then none is.
        BuildError: the lesson's text and its notebook twin were both changed, or the twin holds outputs.
    """
    _refuse_name(name)
    notebooks = [pair(other) if other == lesson else read_text(other) for other in lessons]
    _refuse_taken(name, lessons, notebooks)
    exercises = [exercise.name for exercise in to_fill_in(notebooks[lessons.index(lesson)])]
    if after and after not in exercises:
        raise Refused(f"{lesson.assignment} has no exercise `{after}`", f"choose from: {', '.join(exercises)}; or leave AFTER out")
    _write_all(_new_texts(name, lesson, after))
    first = {problem.file: problem for problem in reversed(lint_todo(lesson, pair(lesson)))}
    return sorted(f"{file}:{problem.cell.removeprefix('line ')}" for file, problem in first.items())


def _refuse_name(name: str) -> None:
    if not name:
        raise Refused("the exercise has no name", "say NAME=cosine_scores, the name of the function that learners write")
    if not (name.isidentifier() and name.isascii()) or keyword.iskeyword(name) or keyword.issoftkeyword(name):
        raise Refused(f"`{name}` cannot be the name of a Python function", "choose one of letters, digits and `_`, for example `cosine_scores`")
    if name.startswith((PREDICTION, "_")) or TEST in name:
        raise Refused(f"`{name}` begins with `{PREDICTION}` or `_`, or has `{TEST}` in it: such names mean other cells", "choose another name")


def _refuse_taken(name: str, lessons: list[Lesson], notebooks: list[NotebookNode]) -> None:
    for lesson, notebook in zip(lessons, notebooks):
        taken = {*map(grade_id, notebook.cells), *(other for exercise in to_fill_in(notebook) for other in exercise.asks_for)}
        if {name, name + TEST} & taken or any((folder / f"{name}.py").exists() for folder in (lesson.answers, lesson.exercises)):
            raise Refused(f"`{name}` is there already, in {lesson.assignment}", "choose another name")
    if hasattr(check, name):
        raise Refused(f"`check.{name}` is there already and means something else", "choose another name")


def _new_texts(name: str, lesson: Lesson, after: str) -> dict[Path, str]:
    """What the three files will hold: the lesson's text with the card, the exercise's own file, its answers."""
    if not lesson.text.exists():
        raise Refused(f"{lesson.shown(lesson.text)} is missing", "write it after the model of lesson 1, then type the same command again")
    text = lesson.text.read_text(encoding="utf-8")
    try:
        with_card = in_text(text, _filled("exercise.md", name, _number(text, after)), HEADING, after)
    except CannotInsert as error:
        what = f"it has no place for the exercise: it needs {error}"
        raise Refused(f"{lesson.shown(lesson.text)}: {what}", "mend that, then type the same command again") from error
    return {
        lesson.text: with_card,
        lesson.exercises / f"{name}.py": _filled("exercise.txt", name),
        lesson.answers / f"{name}.py": _filled("answers.txt", name),
    }


def _number(text: str, after: str) -> int:
    """The number of the new exercise: one more than stand above it."""
    above = "\n".join(text.splitlines()[: place_in_text(text, after)])
    return 1 + sum(card["kind"] == "Exercise" for card in CARD.finditer(above))


def _filled(template: str, name: str, number: int = 0) -> str:
    return Template((TEMPLATES / template).read_text(encoding="utf-8")).substitute(NAME=name, NUMBER=number)


def _write_all(new: dict[Path, str]) -> None:
    """Write every file; when one cannot be written, all are as they were."""
    before = {path: path.read_text(encoding="utf-8") if path.exists() else None for path in new}
    try:
        for path, text in new.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        for path, text in before.items():
            if text is None:
                path.unlink(missing_ok=True)
            elif path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")
        raise Refused(f"a file could not be written: {error}", "see to it that it can, then type the same command again") from error
