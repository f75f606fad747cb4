"""Whose notebook it is where its cells have lost their names: seen by their texts."""

from __future__ import annotations

import nbformat
from nbconvert.exporters import NotebookExporter

from examiner.classroom.course import Course
from examiner.classroom.intake import belongs_to
from examiner.nbgrader_steps.recovering import marks_of
from examiner.recovery.given import cells_in_files
from examiner.recovery.mending import found_of


def refuse_another(course: Course, assignment: str, name: str, text: str) -> None:
    """See that a notebook is the one that its place says.

    Args:
        name: the notebook's name.
        text: what was handed in.

    Raises:
        CannotGrade: it has more of another notebook of the course.
    """
    try:
        cells = nbformat.reads(text, as_version=4).cells
    except Exception:  # whatever a strange notebook makes nbformat raise; `Course.sanitise` says what is wrong with it
        return
    marks = marks_of(NotebookExporter(config=course.config))
    wanted = assignment, name
    every = [(one, notebook) for one, lesson in course.lessons.items() for notebook in lesson.notebooks]
    counts = {one: found_of(cells, cells_in_files(course.folders, marks, *one)) for one in every}
    best = max(counts, key=counts.__getitem__)
    if counts[best] > counts[wanted]:
        raise belongs_to(best, wanted)
