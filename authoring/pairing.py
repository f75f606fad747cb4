"""Keep a lesson's text and its notebook twin in `source/` the same.

The text is what git keeps. The notebook is there for people who edit a lesson in JupyterLab, for example with nbgrader's
Create Assignment panel. It remembers the text that it was made from, so each side knows whether the other has moved.
"""

from __future__ import annotations

import hashlib

import nbformat
from nbformat import NotebookNode

from authoring.errors import BuildError, Problem
from authoring.lessons import Lesson, cell_label, read_text, write_notebook, write_text

MEMORY = "made_from"  # the key in the notebook's metadata


def pair(lesson: Lesson) -> NotebookNode:
    """Bring both sides to the newer state and return the lesson's notebook.

    Raises:
        BuildError: both sides were changed since they were last the same, or the notebook holds outputs.
    """
    if not lesson.notebook.exists():
        return _write_twin(lesson)
    twin = nbformat.read(lesson.notebook, as_version=4)
    _refuse_outputs(lesson, twin)
    remembered = twin.metadata.pop(MEMORY, None)
    if not lesson.text.exists():
        return _take_notebook(lesson, twin)

    twin_moved = _digest(write_text(lesson, twin)) != remembered
    text_moved = _digest(_canonical_text(lesson)) != remembered
    if not twin_moved:
        return _write_twin(lesson)
    if not text_moved:
        return _take_notebook(lesson, twin)
    if write_text(lesson, twin) == _canonical_text(lesson):
        return _write_twin(lesson)
    raise BuildError(
        [
            Problem(
                lesson.shown(lesson.notebook),
                "whole file",
                f"it and {lesson.text.name} were both changed",
                f"keep one: delete {lesson.notebook.name} to keep the text, or delete {lesson.text.name} to keep the notebook",
            )
        ]
    )


def _refuse_outputs(lesson: Lesson, twin: NotebookNode) -> None:
    problems = [
        Problem(
            lesson.shown(lesson.notebook),
            cell_label(twin, index),
            "has outputs",
            "in JupyterLab, choose Edit > Clear Outputs of All Cells, save, and build again",
        )
        for index, cell in enumerate(twin.cells)
        if cell.get("outputs")
    ]
    if problems:
        raise BuildError(problems)


def _take_notebook(lesson: Lesson, twin: NotebookNode) -> NotebookNode:
    """The notebook was edited: the text follows."""
    lesson.text.write_text(write_text(lesson, twin), encoding="utf-8")
    return _write_twin(lesson)


def _write_twin(lesson: Lesson) -> NotebookNode:
    notebook = read_text(lesson)
    twin = nbformat.from_dict(notebook)
    twin.metadata[MEMORY] = _digest(_canonical_text(lesson))
    write_notebook(lesson.notebook, twin)
    return notebook


def _canonical_text(lesson: Lesson) -> str:
    """The text as jupytext would write it, so that only real edits count as a change."""
    return write_text(lesson, read_text(lesson))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
