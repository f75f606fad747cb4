"""The notebook that learners open: nbgrader's generate_assignment, written where nobody's gradebook changes."""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config, PyFileConfigLoader

from authoring.errors import BuildError, Problem
from authoring.lessons import Lesson


def release(lesson: Lesson) -> NotebookNode:
    """The released notebook of a lesson, made by nbgrader with the settings of `nbgrader_config.py`.

    Raises:
        BuildError: nbgrader refuses the notebook; its own words are in the message.
    """
    with tempfile.TemporaryDirectory() as folder:
        config = course_settings(lesson)
        config.merge(_into(folder, lesson))
        converter = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config)
        converter.log = logging.Logger("generate_assignment")
        converter.log.addHandler(collector := _Collector())
        try:
            converter.start()
        except (Exception, SystemExit) as error:
            words = "; ".join(collector.said) or str(error)
            raise BuildError(
                [Problem(lesson.shown(lesson.text), "whole file", f"nbgrader refuses it: {words}", "mend the cell that the message shows")]
            ) from error
        return nbformat.read(Path(folder) / lesson.assignment / lesson.notebook.name, as_version=4)


def course_settings(lesson: Lesson) -> Config:
    """What `nbgrader_config.py` says."""
    return PyFileConfigLoader("nbgrader_config.py", path=str(lesson.root)).load_config()


def _into(folder: str, lesson: Lesson) -> Config:
    config = Config()
    config.CourseDirectory.root = str(lesson.root)
    config.CourseDirectory.release_directory = folder
    config.CourseDirectory.assignment_id = lesson.assignment
    config.CourseDirectory.notebook_id = lesson.name
    config.GenerateAssignment.no_database = True
    config.SaveCells.enabled = False
    return config


class _Collector(logging.Handler):
    """Keep nbgrader's errors as sentences for the message of the build."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        last_line = record.getMessage().strip().splitlines()[-1]
        if not last_line.startswith(("There was an error", "Please see")):  # what nbgrader adds to every failure
            self.said.append(last_line)
