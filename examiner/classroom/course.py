"""The course as nbgrader knows it: its folders, its gradebook and the commands that the runner uses."""

from __future__ import annotations

import copy
import logging
import os
import sys
import tempfile
from functools import cache
from pathlib import Path

import nbformat
import nbgrader.api
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.converters.base import BaseConverter
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import temp_attrs
from traitlets.config import Config, PyFileConfigLoader

from examiner.classroom.outcomes import Submission
from examiner.judge.execute import Execution
from examiner.nbgrader_steps.conversion import convert
from examiner.nbgrader_steps.preprocessors import (
    Execute,
    TakeSanitised,
    fingerprint,
    ready,
    sanitised,
    source_from_gradebook,
)
from examiner.wire.errors import CannotGrade

CONFIG = "nbgrader_config.py"


class Course:
    """One course folder.

    Args:
        root: the folder with `nbgrader_config.py`.

    Raises:
        CannotGrade: there is no `nbgrader_config.py`.
    """

    def __init__(self, root: Path):
        if not (root / CONFIG).is_file():
            raise CannotGrade(f"there is no {CONFIG} in {root}", "run the command in the course's own folder")
        _find_own_commands()
        _share_engines()
        config = PyFileConfigLoader(CONFIG, path=str(root)).load_config()
        config.merge(Config({"CourseDirectory": {"root": str(root)}}))
        self.root, self.config = root, config
        self.folders = CourseDirectory(config=config)
        self._recording = copy.deepcopy(config)
        self._recording.Autograde.sanitize_preprocessors = [TakeSanitised]
        self._feedback = copy.deepcopy(config)
        self._feedback.HTMLExporter.template_name = "feedback"

    def executor(self) -> Execute:
        """The step that executes submissions, with the course's own settings."""
        return Execute(config=self.config)

    def folder(self, kind: str) -> Path:
        """One of nbgrader's folders by its name in the configuration: submitted, autograded, feedback, source."""
        return self.root / getattr(self.folders, f"{kind}_directory")

    def gradebook(self) -> Gradebook:
        """The gradebook, to be used in a `with` statement."""
        return Gradebook(self.folders.db_url, self.folders.course_id)

    def assignments(self) -> dict[str, tuple[str, set[str]]]:
        """Each assignment in `source/` with its notebook's name and the grade ids of its graded and answer cells.

        Raises:
            CannotGrade: an assignment has several notebooks.
        """
        found: dict[str, tuple[str, set[str]]] = {}
        for path in sorted(self.folder("source").glob("*/*.ipynb")):
            assignment = path.parent.name
            if assignment in found:
                raise CannotGrade(f"the assignment {assignment} has several notebooks, {found[assignment][0]}.ipynb and {path.name}, and the "
                                  "examiner grades one for each assignment. Nothing was graded",
                                  f"make an assignment of each, or move what is no notebook of the assignment out of {assignment}")
            cells = nbformat.read(path, as_version=4).cells
            ids = {cell.metadata.nbgrader.grade_id for cell in cells if "nbgrader" in cell.metadata}
            found[assignment] = (path.stem, ids)
        return found

    def register(self, assignment: str) -> None:
        """Tell the gradebook the cells of an assignment as they stand in `source/`. Released notebooks are left alone.

        Raises:
            CannotGrade: nbgrader refuses the assignment.
        """
        with tempfile.TemporaryDirectory() as elsewhere, temp_attrs(self.folders, release_directory=elsewhere):
            self._convert(GenerateAssignment, self.config, f"nbgrader refuses the assignment {assignment}", "mend the lesson in source/",
                          assignment, create_assignment=True)

    def sanitise(self, submission: Submission) -> NotebookNode:
        """A submitted notebook as nbgrader's own sanitising steps leave it, in memory: what is to be executed.

        Raises:
            CannotGrade: one of the steps refuses the notebook.
        """
        exporter = NotebookExporter(config=self.config)
        for step in Autograde(coursedir=self.folders, config=self.config).sanitize_preprocessors:
            exporter.register_preprocessor(step, enabled=True)
        about = {"student": submission.student, "assignment": submission.assignment, "notebook": submission.notebook.stem,
                 "db_url": self.folders.db_url}
        try:
            text, _ = exporter.from_filename(str(submission.notebook), resources={"nbgrader": about})
        except Exception as error:  # nbgrader's steps raise whatever a strange notebook makes them
            raise CannotGrade(f"nbgrader cannot read it ({type(error).__name__}: {error})",
                              "ask the student to open it in JupyterLab, save it, and hand in again") from error
        return nbformat.reads(text, as_version=4)

    def test_cells(self, submission: Submission) -> NotebookNode:
        """The instructor's test cells for a submission, as the gradebook has them."""
        return source_from_gradebook(self.folders.db_url, submission.assignment, submission.notebook.stem)

    def record(self, submission: Submission, notebook: NotebookNode, execution: Execution) -> None:
        """Have nbgrader write one executed submission to the gradebook and to `autograded/`.

        Args:
            notebook: what `sanitise` made of the submission.
            execution: what came of executing that.

        Raises:
            CannotGrade: nbgrader stopped.
        """
        key, name = fingerprint(notebook), (submission.student, submission.assignment, submission.notebook.stem)
        ready[key], sanitised[name] = execution, notebook
        try:
            self._convert(Autograde, self._recording, "nbgrader stopped", "run the same command again; if it stays, look at the notebook",
                          submission.assignment, submission.student, create_student=True)
        finally:
            del ready[key], sanitised[name]

    def write_feedback(self, student: str, assignment: str) -> None:
        """Write the feedback of one graded submission as HTML.

        Raises:
            CannotGrade: nbgrader cannot write it.
        """
        self._convert(GenerateFeedback, self._feedback, "nbgrader cannot write the feedback", "grade the submission again",
                      assignment, student)

    def _convert(self, kind: type[BaseConverter], config: Config, what: str, next_step: str, assignment: str, student: str = "*",
                 **settings: bool) -> None:
        """Run one of nbgrader's converters on one assignment; see `conversion.convert`."""
        with temp_attrs(self.folders, assignment_id=assignment, student_id=student):
            converter = kind(coursedir=self.folders, config=config)
            converter.log = logging.Logger("nbgrader")  # nobody hears it
            converter.log.addHandler(logging.NullHandler())
            converter.force = True
            for name, value in settings.items():
                setattr(converter, name, value)
            convert(converter, what, next_step)

    def is_graded(self, student: str, assignment: str) -> bool:
        """Whether the gradebook holds this submission and no cell of it waits for the autograder."""
        with self.gradebook() as gradebook:
            try:
                submission = gradebook.find_submission(assignment, student)
            except MissingEntry:
                return False
            return all(grade.auto_score is not None or grade.needs_manual_grade or grade.manual_score is not None
                       for notebook in submission.notebooks for grade in notebook.grades)


def _find_own_commands() -> None:
    """nbgrader calls `alembic` by name, so the folder of this Python's commands has to be on the path."""
    own = str(Path(sys.executable).parent)
    if own not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([own, os.environ.get("PATH", "")])


def _share_engines() -> None:
    """nbgrader opens the gradebook ten times for a submission; with the same engine each time, a query is compiled once for all."""
    if not hasattr(nbgrader.api.create_engine, "cache_info"):
        nbgrader.api.create_engine = cache(nbgrader.api.create_engine)
