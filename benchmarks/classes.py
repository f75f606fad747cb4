"""Course folders for benchmarks: a small notebook, or the lessons themselves, for any number of students.

Every notebook differs from the others by a comment in its first answer: of equal ones the grader executes the first alone.
"""

from __future__ import annotations

import copy
import shutil
import sys
from collections.abc import Collection
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).parents[1] / "nbjudge"))  # for `hostile`
sys.path.insert(0, str(Path(__file__).parents[1]))

from authoring.answer_files import answers_to
from authoring.answers import fill_in, solution_sources
from authoring.exercises import find_exercises
from authoring.lessons import ROOT, Lesson, find_lessons, read_text
from authoring.pairing import pair
from hostile import cheat_source
from nbjudge.testing.notebooks import code

FIGURE = "import matplotlib.pyplot as plt\nplt.imshow(softmax(np.eye(4)))\nplt.show()"
STEPS = ("Autograde.sanitize_preprocessors", "Autograde.autograde_preprocessors")


def small_class(root: Path, students: int) -> None:
    """Imports, one answer, a figure and five test cells for each student; all right."""
    notebook = cheat_source()
    notebook.cells.insert(2, code(FIGURE))
    _write(root / "source" / "first" / "work.ipynb", notebook)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    for number in range(students):
        hand_in(root, number, "first", "work", notebook)


def lessons_class(root: Path, students: int, half_wrong: Collection[int] = (), only: Collection[str] = ()) -> None:
    """Every lesson with its own answers in, for each student.

    Args:
        half_wrong: the students, by number, who have a wrong answer to the first of the exercises, the third and so on: the first that is kept.
        only: assignments; all by default.
    """
    shutil.copy(ROOT / "nbgrader_config.py", root)
    for lesson in find_lessons():
        if only and lesson.assignment not in only:
            continue
        pair(lesson)
        shutil.copytree(lesson.folder, root / "source" / lesson.assignment)
        answers = solution_sources(nbformat.read(lesson.solution, as_version=4))
        released = nbformat.read(lesson.released, as_version=4)
        solved, mistaken = fill_in(released, answers), fill_in(released, answers | _wrong_answers(lesson))
        for number in range(students):
            hand_in(root, number, lesson.assignment, lesson.name, mistaken if number in half_wrong else solved)


def _wrong_answers(lesson: Lesson) -> dict[str, str]:
    """One to every second exercise of a lesson."""
    exercises = [exercise.name for exercise in find_exercises(read_text(lesson))][::2]
    return {name: next(answer.source for answer in answers_to(lesson, name).values() if not answer.right) for name in exercises}


def hand_in(root: Path, number: int, assignment: str, name: str, notebook: nbformat.NotebookNode) -> None:
    """A student's notebook in its place, and nobody else's."""
    own = copy.deepcopy(notebook)
    first = next(cell for cell in own.cells if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("solution"))
    first.source += f"\n# {number}"
    _write(root / "submitted" / f"s{number:04d}" / assignment / f"{name}.ipynb", own)


def use_stock(root: Path) -> None:
    """Take the grader, and what makes pages and checks faster, out of the course's settings: nbgrader's own steps as they are."""
    settings = (root / "nbgrader_config.py").read_text(encoding="utf-8")
    lines = [f"del c.{name}" for name in (*STEPS, "GenerateFeedback", "Execute", "Exporter", "HTMLExporter")]
    (root / "nbgrader_config.py").write_text("\n".join([settings, *lines, ""]), encoding="utf-8")


def _write(path: Path, notebook: nbformat.NotebookNode) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
