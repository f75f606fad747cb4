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
from nbjudge import Markers
from nbjudge.testing.editors import is_answer, name_of
from nbjudge.testing.recovering import counted
from nbjudge.testing.steps import Given, cells_in_files

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
