"""How well the cells of a notebook are found again: counted against what is known, because the test itself has changed the notebook."""

from __future__ import annotations

import copy
from collections import Counter
from functools import cache

import nbformat
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from authoring.answers import fill_in
from authoring.lessons import ROOT, Lesson
from demonstration.drawn import Draw, find_questions
from examiner.judge.markers import Markers
from examiner.recovery.cells import Given, plain
from examiner.recovery.given import cells_in_files
from examiner.recovery.mending import Mended, mend
from specimens.editors import Edited, edit, is_answer, name_of

MARKS = [Markers(), Markers("BEGIN MARK SCHEME", "END MARK SCHEME")]


@cache
def given_of(lesson: Lesson) -> list[Given]:
    """What students were given of a lesson."""
    folders = CourseDirectory(config=Config({"CourseDirectory": {"root": str(ROOT), "release_directory": "notebooks"}}))
    return cells_in_files(folders, MARKS, lesson.assignment, lesson.name)


@cache
def _released(lesson: Lesson) -> NotebookNode:
    return nbformat.read(lesson.released, as_version=4)


_questions = cache(find_questions)


def handed_in(lesson: Lesson, student: int) -> NotebookNode:
    """A released notebook in which a drawn student has worked. `given` in the metadata of an answer is what stood there before."""
    released = copy.deepcopy(_released(lesson))
    for cell in released.cells:
        if is_answer(cell):
            cell.metadata["given"] = cell.source
    return fill_in(released, Draw(16).answers(student, lesson, _questions(lesson)))


def known_of(lesson: Lesson) -> dict[str, NotebookNode]:
    """nbgrader's metadata of each cell of a lesson."""
    return {name_of(cell): cell.metadata.nbgrader for cell in _released(lesson).cells if name_of(cell)}


def recovered(lesson: Lesson, kind: str, student: int) -> Counter[str]:
    """How many cells that nbgrader knows are found, are shown to a person, are missed, or are taken for another one."""
    return counted(handed_in(lesson, student), kind, student, given_of(lesson), known_of(lesson))


def counted(worked: NotebookNode, kind: str, seed: int, given: list[Given], known: dict[str, NotebookNode]) -> Counter[str]:
    """The same of any notebook that was worked in, after an edit of this kind."""
    edited = edit(worked, kind, seed)
    mended = mend(edited.notebook, given, known)
    return Counter(
        _fate(name, cell, edited, mended) for cell in worked.cells if (name := name_of(cell)) in known and name not in edited.deleted
    ) + Counter("wrong" for name in edited.deleted & known.keys() if _is_taken(name, edited, mended))


def _fate(name: str, cell: NotebookNode, edited: Edited, mended: Mended) -> str:
    if any(change.asks and name in change.cells for change in mended.changes):
        return "shown"
    named = [one for one in mended.cells if name_of(one) == name]
    assert len(named) <= 1, f"{name} is there {len(named)} times"
    if not named:
        return "missed"
    expected = edited.parts.get(name, [cell.source])
    if not is_answer(cell):
        return "missed" if any(name in change.cells and "put back" in change.said for change in mended.changes) else "found"
    right = {plain(cell.source), plain("\n".join(expected)), *map(plain, expected)}
    return "found" if plain(named[0].source) in right else "wrong"


def _is_taken(name: str, edited: Edited, mended: Mended) -> bool:
    """Whether something that is left has the name of a cell that is gone."""
    return any(
        name_of(cell) == name and "was not found in the submission" not in cell.source and cell.cell_type == "markdown" and is_answer(cell)
        for cell in mended.cells
    )
