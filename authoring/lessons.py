"""Where a lesson's files are, and how its text becomes a notebook."""

from __future__ import annotations

import copy
import importlib.util
import re
import runpy
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from attnlab.new_version import text_id
from authoring.errors import BuildError, Problem

ROOT = Path(__file__).resolve().parent.parent
MEANT = ("nbgrader", "tags")  # a cell's metadata that lessons mean; the rest is how an author's JupyterLab shows it, such as collapsed headings
NAME = re.compile(r"\d+[a-z]?_[a-z0-9_]+")  # an assignment: a number and perhaps a letter, then the notebook's name


@dataclass(frozen=True)
class Lesson:
    """One lesson: one folder of `source`, one assignment, one notebook."""

    assignment: str  # "1_basic_attention", or "2b_columns": beside lesson 2
    root: Path = ROOT

    @property
    def number(self) -> str:
        """ "1", or "2b"."""
        return self.assignment.split("_", 1)[0]

    @property
    def name(self) -> str:
        """The notebook's name: the assignment's without its number."""
        return self.assignment.split("_", 1)[1]

    @property
    def folder(self) -> Path:
        return self.root / "source" / self.assignment

    @property
    def text(self) -> Path:
        return self.folder / f"{self.name}.md"

    @property
    def notebook(self) -> Path:
        return self.folder / f"{self.name}.ipynb"

    @property
    def released(self) -> Path:
        return self.root / "notebooks" / self.assignment / f"{self.name}.ipynb"

    @property
    def solution(self) -> Path:
        return self.root / "solutions" / self.assignment / f"{self.name}.ipynb"

    @property
    def data(self) -> Path:
        """What the lesson's visible checks and pictures compare with."""
        return self.root / "attnlab" / "data" / f"{self.assignment}.json"

    @property
    def answers(self) -> Path:
        """A file for each exercise, with right and wrong answers to it. `nbgrader_config.py` keeps the folder from students."""
        return self.folder / "answers"

    @property
    def variations(self) -> Path:
        """The numbers that come out of right answers with one slip."""
        return self.root / "attnlab" / "data" / "variations" / f"{self.assignment}.jsonl"

    @property
    def exercises(self) -> Path:
        """A file for each exercise: its inputs, and what its check looks at."""
        return self.root / "attnlab" / "exercises" / self.name

    @property
    def predictions(self) -> Path:
        """What is right of each prediction, and why; a lesson without predictions has no such file."""
        return self.folder / "predictions.toml"

    @property
    def states(self) -> Path:
        """The trained models that it offers; most lessons have none."""
        return self.folder / "states.py"

    @property
    def run(self) -> Path:
        """What the explorer shows of it."""
        return self.folder / "run.py"

    def shown(self, path: Path) -> Path:
        """The path as messages print it: from the top of the project."""
        return path.relative_to(self.root)

    def defined_in(self, path: Path) -> dict[str, Any]:
        """What a Python file beside the lesson's text defines; raises whatever the file raises."""
        return runpy.run_path(str(path), run_name=f"{path.stem}_{self.assignment}")


def find_lessons(root: Path = ROOT) -> list[Lesson]:
    """Every lesson of the course, in order: 1, 2, 2b, 3 and so on.

    Raises:
        BuildError: a folder of `source` has a name that is not `N_name` or `2b_name`, or lacks its text `name.md`.
    """
    lessons, problems = [], []
    for folder in sorted(path for path in (root / "source").iterdir() if path.is_dir() and path.name[0] not in "._"):
        shown = folder.relative_to(root)
        if not NAME.fullmatch(folder.name):
            problems.append(
                Problem(
                    shown,
                    "folder",
                    "the name is not a number, `_` and a name in small letters",
                    "rename it, for example `6_masks`, or `2b_columns` for a lesson beside lesson 2",
                )
            )
            continue
        lesson = Lesson(folder.name, root)
        if lesson.text.exists() or lesson.notebook.exists():
            lessons.append(lesson)
        else:
            problems.append(Problem(shown, "folder", f"there is no {lesson.text.name}", f"write the lesson in {shown / lesson.text.name}"))
    if problems:
        raise BuildError(problems)
    return lessons


def read_text(lesson: Lesson) -> NotebookNode:
    """The notebook that the lesson's text says, with cell ids that depend on nothing but the text.

    Raises:
        BuildError: the text cannot be read as a notebook.
    """
    import jupytext  # here, so that grading, which reads no text, does not wait for it

    try:
        notebook = jupytext.read(lesson.text)
    except Exception as error:  # jupytext has no exception of its own for a text that it cannot parse
        raise BuildError(
            [
                Problem(
                    lesson.shown(lesson.text),
                    "whole file",
                    f"jupytext cannot read it: {error}",
                    "mend the front matter or the cell that the message names",
                )
            ]
        ) from error
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    keep_what_is_meant(notebook)
    give_stable_ids(notebook)
    return notebook


def missing_package(lesson: Lesson) -> str:
    """The package that the lesson says it needs beyond `requirements.txt`, when it is not installed; else nothing."""
    package = read_text(lesson).metadata.get("lesson", {}).get("package", "")
    return package if package and importlib.util.find_spec(package) is None else ""


def lessons_that_run_here(root: Path = ROOT) -> list[Lesson]:
    """The lessons whose packages are installed: they can be executed and graded on this machine."""
    return [lesson for lesson in find_lessons(root) if not missing_package(lesson)]


def write_text(lesson: Lesson, notebook: NotebookNode) -> str:
    """The text of a lesson for a notebook that was edited in JupyterLab."""
    import jupytext

    notebook = copy.deepcopy(notebook)
    keep_what_is_meant(notebook)
    return jupytext.writes(notebook, fmt="md")


def keep_what_is_meant(notebook: NotebookNode) -> None:
    """Take out of every cell what only says how JupyterLab shows it. jupytext's `cell_metadata_filter` adds to such settings."""
    for cell in notebook.cells:
        cell.metadata = NotebookNode({key: value for key, value in cell.metadata.items() if key in MEANT})


def give_stable_ids(notebook: NotebookNode) -> None:
    """Name each cell by its grade id, or by a digest of its text where it has none."""
    seen: Counter[str] = Counter()
    for cell in notebook.cells:
        name = grade_id(cell) or text_id(cell)
        seen[name] += 1
        cell.id = name if seen[name] == 1 else f"{name}-{seen[name]}"


def grade_id(cell: NotebookNode) -> str:
    """nbgrader's name of a cell, or an empty string."""
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def cell_label(notebook: NotebookNode, index: int) -> str:
    """How a message names a cell: its number and its grade id, or its first words."""
    cell = notebook.cells[index]
    first_line = next((line for line in cell.source.splitlines() if line.strip()), "")
    return f"cell {index + 1} (`{grade_id(cell) or first_line[:40]}`)"


def write_notebook(path: Path, notebook: NotebookNode) -> None:
    """Write a notebook, unless the file says the same already."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = nbformat.writes(notebook) + "\n"
    if not path.exists() or path.read_text(encoding="utf-8") != content:
        path.write_text(content, encoding="utf-8")
