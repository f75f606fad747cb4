"""The course as nbgrader knows it: its folders, its gradebook and the commands that the runner uses."""

from __future__ import annotations

import contextlib
import copy
import logging
import os
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from typing import Any

import nbformat
import nbgrader.preprocessors
from nbconvert.exporters import NotebookExporter
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from nbgrader.api import Assignment as Assignments
from nbgrader.api import Grade, Gradebook, SubmittedAssignment, SubmittedNotebook
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.converters.base import BaseConverter
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import SaveAutoGrades
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from traitlets.config import Config, PyFileConfigLoader
from traitlets.utils.importstring import import_item

from nbjudge._analysis.instructor import Instructor, grade_id
from nbjudge._analysis.labels import readable, with_wrong_marks
from nbjudge._common.due_dates import Dates, read_dates
from nbjudge._common.roster import Roster, read_roster
from nbjudge._common.settings import Report, temporarily
from nbjudge._course.outcomes import Assignment, Submission
from nbjudge._nbgrader.batched_gradebook import Quick
from nbjudge._nbgrader.converters import Record, convert, explain
from nbjudge._nbgrader.database import MEND, NO_ADDRESS, called, parsed
from nbjudge._nbgrader.preprocessors import (
    CHANGES,
    Execute,
    SaveGrades,
    answer_marks_of,
    find_packages,
    instructor_of,
    markers_of,
    refuse_other_languages,
)
from nbjudge._nbgrader.process_limit import MakeHarmless
from nbjudge._recovery.cells import Change
from nbjudge._wire.errors import CannotGrade, Hindered

CONFIG = "nbgrader_config.py"
FEW = 3  # cells that are told
Step = str | type[Preprocessor] | Preprocessor  # of nbgrader's, as its configuration names them


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
        config = PyFileConfigLoader(CONFIG, path=str(root)).load_config()
        config.merge(Config({"CourseDirectory": {"root": str(root)}}))
        self.root, self.config = root, config
        self.folders = CourseDirectory(config=config)
        self._quick = Quick()
        self._feedback = copy.deepcopy(config)
        self._feedback.HTMLExporter.template_name = "feedback"

    def executor(self) -> Execute:
        """The step that executes submissions, with the course's own settings.

        Raises:
            CannotGrade: one of its packages is nowhere, or the settings name it wrongly.
        """
        _ = self._steps  # looked at here so that a wrong setting is told before anything starts
        execute = Execute(config=self.config)
        find_packages(execute.packages, self.root)
        return execute

    def folder(self, kind: str) -> Path:
        """One of nbgrader's folders by its name in the configuration: submitted, autograded, feedback, source."""
        return self.root / getattr(self.folders, f"{kind}_directory")

    @contextlib.contextmanager
    def gradebook(self) -> Iterator[Gradebook]:
        """The gradebook for as long as the context lasts.

        Raises:
            CannotGrade: it cannot be opened or used, for example because another program writes to it.
        """
        with told():
            with self._quick.entered(for_steps=False):
                gradebook = Gradebook(self.folders.db_url, self.folders.course_id)
            with gradebook:
                yield gradebook

    @property
    def has_gradebook(self) -> bool:
        """Whether there is a gradebook to open, as far as that can be seen. Opening one that is not there makes it.

        Raises:
            CannotGrade: the course names none that could be there.
        """
        if (url := parsed(self.folders.db_url)) is None:
            raise CannotGrade(NO_ADDRESS.format(called(self.folders.db_url)), MEND)
        return url.get_backend_name() != "sqlite" or not url.database or url.database.startswith("file:") or os.path.exists(url.database)

    def assignments(self) -> dict[str, Assignment]:
        """Each assignment in `source/` by its name."""
        found: dict[str, dict[str, frozenset[str]]] = {}
        for path in sorted(self.folder("source").glob("*/*.ipynb")):
            cells = nbformat.read(path, as_version=4).cells
            ids = frozenset(cell.metadata.nbgrader.grade_id for cell in cells if "nbgrader" in cell.metadata)
            found.setdefault(path.parent.name, {})[path.stem] = ids
        return {name: Assignment(name, self.folder("source") / name, notebooks) for name, notebooks in found.items()}

    @cached_property
    def lessons(self) -> dict[str, Assignment]:
        """`assignments()`, read once."""
        return self.assignments()

    @cached_property
    def _sources(self) -> dict[Path, NotebookNode]:
        """The notebooks in `source/`, read once."""
        return {path: nbformat.read(path, as_version=4) for path in sorted(self.folder("source").glob("*/*.ipynb"))}

    @cached_property
    def order(self) -> dict[tuple[str, str, str], int]:
        """The place of each cell that has a name, by assignment, notebook and name. A database keeps rows in no order of their own."""
        names = [(path.parent.name, path.stem, grade_id(cell)) for path, notebook in self._sources.items() for cell in notebook.cells]
        return {(assignment, notebook, name): number for number, (assignment, notebook, name) in enumerate(names) if name}

    @cached_property
    def readable(self) -> dict[str, str]:
        """For each random name of a cell one that tells which cell it is; no two have the same."""
        found: dict[str, str] = {}
        taken: set[str] = set()
        for path, notebook in self._sources.items():
            for name, words in readable(notebook).items():
                if name not in found:
                    found[name] = next(one for one in (words, f"{path.stem}_{words}", f"{path.parent.name}_{path.stem}_{words}") if one not in taken)
                    taken.add(found[name])
        return found

    @property
    def reporting(self) -> Report:
        """`c.Report`, which knows the names of this course's cells.

        Raises:
            CannotGrade: one of the settings cannot be.
        """
        settings = Report.of(self.config)
        settings.readable = self.readable
        return settings

    @cached_property
    def roster(self) -> Roster | None:
        """The class, as `class.csv` has it, read once; None where there is no such file.

        Raises:
            CannotGrade: a line of it is wrong.
        """
        return read_roster(self.root)

    @cached_property
    def dates(self) -> Dates | None:
        """Due dates, late rules and extensions, as `dates.csv` has them, read once; None where there is no such file.

        Raises:
            CannotGrade: a line of it, or of `class.csv`, is wrong.
        """
        return read_dates(self.root, self.config, self.lessons, self.roster)

    def register(self, assignment: str, notebook: str = "*") -> None:
        """Tell the gradebook the cells of an assignment as they stand in `source/`. Released notebooks are left alone.

        Args:
            notebook: the only one, as a pattern; all by default.

        Raises:
            CannotGrade: nbgrader refuses the assignment.
        """
        try:
            self._register(assignment, notebook)
        except CannotGrade as refused:
            cells = [] if isinstance(refused, Hindered) else self._wrongly_marked(assignment, notebook)
            if not cells:
                raise
            raise CannotGrade(f"{refused.why} (look at {', '.join(cells)})", refused.next_step) from refused

    def _wrongly_marked(self, assignment: str, notebook: str) -> list[str]:
        """The first few cells with marks that nbgrader refuses, each with its notebook."""
        found: list[str] = []
        with contextlib.suppress(Exception):  # whatever a notebook holds that is refused
            answers, hidden = answer_marks_of(self.executor()), markers_of(self.executor())
            for path, cells in self._sources.items():
                if path.parent.name == assignment and fnmatch(path.stem, notebook):
                    found += [f"{path.stem}, {label}" for label in with_wrong_marks(cells, answers, hidden)]
        return found[:FEW]

    def _register(self, assignment: str, notebook: str) -> None:
        with tempfile.TemporaryDirectory() as elsewhere, temporarily(self.folders, release_directory=elsewhere, notebook_id=notebook):
            self._convert(
                GenerateAssignment,
                self.config,
                f"nbgrader refuses the assignment {assignment}",
                "mend the lesson in source/",
                assignment,
                create_assignment=True,
            )

    @cached_property
    def _steps(self) -> tuple[list[Step], list[Step]]:
        """nbgrader's steps before a notebook is executed, and those after it. What makes `autograded/` harmless comes later, beside.

        Raises:
            CannotGrade: the course's configuration does not name the grader's `Execute`, or names nbgrader's, too.
        """
        autograde = Autograde(coursedir=self.folders, config=self.config)
        kinds = [import_item(step) if isinstance(step, str) else step for step in autograde.autograde_preprocessors]
        executes = [number for number, kind in enumerate(kinds) if _is_a(kind, Execute)]
        if len(executes) != 1 or any(_is_a(kind, nbgrader.preprocessors.Execute) for kind in kinds):
            raise CannotGrade(
                "c.Autograde.autograde_preprocessors in nbgrader_config.py does not name the grader's Execute, "
                "and it alone, as what executes notebooks. Nothing was graded",
                "call `switch_on(c)` there, and leave those steps as it sets them",
            )
        [at] = executes
        after = [SaveGrades if kind is SaveAutoGrades else kind for kind in kinds[at + 1 :] if not _is_a(kind, MakeHarmless)]
        return [*autograde.sanitize_preprocessors, *kinds[:at]], after

    def sanitise(self, submission: Submission, name: str, text: str) -> tuple[NotebookNode, list[Change]]:
        """A submitted notebook as nbgrader's own steps leave it: what is to be executed; and what was changed in it.

        Args:
            name: the notebook's.
            text: what was handed in.

        Raises:
            CannotGrade: one of the steps refuses the notebook.
        """
        about = {"student": submission.student, "assignment": submission.assignment, "notebook": name, "db_url": self.folders.db_url}
        place = {"name": name, "path": str(submission.folder)}
        exporter = NotebookExporter(config=self.config)
        resources: dict[str, Any] = {"nbgrader": about, "metadata": place, CHANGES: []}
        try:
            notebook = nbformat.reads(text, as_version=4)
            with self._quick.entered():
                for kind in self._steps[0]:
                    notebook, resources = self._step(kind, exporter)(notebook, resources)
        except CannotGrade:
            raise
        except SQLAlchemyError as error:
            raise explain([error], "the gradebook cannot be used", "run the same command again") from error
        except Exception as error:  # nbgrader's steps raise whatever a strange notebook makes them
            raise CannotGrade(
                f"nbgrader cannot read it ({type(error).__name__}: {str(error)[:300]})",
                "ask the student to open it in JupyterLab, save it, and hand in again",
            ) from error
        refuse_other_languages(notebook)
        return notebook, resources[CHANGES]

    def _step(self, step: Step, exporter: NotebookExporter) -> Preprocessor:
        """One of nbgrader's steps, ready to be called."""
        kind = import_item(step) if isinstance(step, str) else step
        return kind(parent=exporter) if isinstance(kind, type) else kind

    def instructor(self, assignment: str, notebook: str) -> Instructor:
        """The instructor's side of a notebook: what stands in `source/`, with the test cells that the gradebook has.

        Raises:
            CannotGrade: the gradebook cannot be read.
        """
        with self._quick.entered(), told():
            return instructor_of(self.executor(), self.folders.db_url, assignment, notebook)

    def record(self, submission: Submission, executed: dict[str, NotebookNode]) -> None:
        """Have nbgrader write one submission, its notebooks as they were executed, to the gradebook and to `autograded/`.

        Raises:
            CannotGrade: nbgrader stopped. The gradebook is as it was.
        """
        self._convert(
            Record,
            self.config,
            "nbgrader stopped",
            "run the same command again; if it stays, look at the notebook",
            submission.assignment,
            submission.student,
            create_student=True,
            executed=executed,
            autograde_preprocessors=self._steps[1],
            commit=self._quick.commit,
        )

    def write_feedback(self, student: str, assignment: str) -> None:
        """Write the feedback of one graded submission as HTML.

        Raises:
            CannotGrade: nbgrader cannot write it.
        """
        self._convert(GenerateFeedback, self._feedback, "nbgrader cannot write the feedback", "grade the submission again", assignment, student)

    def _convert(
        self, kind: type[BaseConverter], config: Config, what: str, next_step: str, assignment: str, student: str = "*", **settings: object
    ) -> None:
        """Run one of nbgrader's converters on one assignment; see `conversion.convert`."""
        with temporarily(self.folders, assignment_id=assignment, student_id=student):
            converter = kind(coursedir=self.folders, config=config)
            converter.log = logging.Logger("nbgrader")  # nobody hears it
            converter.log.addHandler(logging.NullHandler())
            converter.force = True
            for name, value in settings.items():
                setattr(converter, name, value)
            try:
                with self._quick.entered(cells_change=kind is GenerateAssignment):
                    convert(converter, what, next_step)
            except SQLAlchemyError as error:
                raise explain([error], what, next_step) from error

    def named(self, wanted: Iterable[str], known: Collection[str] | None = None) -> list[str]:
        """The names of assignments that somebody has typed, as names or as folders in `source/`.

        Args:
            known: the names that there are; those of `lessons` by default.

        Raises:
            CannotGrade: the course has none of one of these names.
        """
        names, known = [Path(one).name for one in wanted], self.lessons if known is None else known
        if unknown := [name for name in names if name not in known]:
            there = ", ".join(known) or "none"
            raise CannotGrade(f"there is no assignment {', '.join(unknown)} in {self.folder('source')} (there: {there})", "mend the name")
        return names

    def recorded(self) -> set[tuple[str, str]]:
        """Student and assignment of each submission that the gradebook holds. A gradebook that is not there is made.

        Raises:
            CannotGrade: the gradebook cannot be read.
        """
        query = select(SubmittedAssignment.student_id, Assignments.name).join(Assignments, Assignments.id == SubmittedAssignment.assignment_id)
        with self.gradebook() as gradebook:
            return {(student, name) for student, name in gradebook.db.execute(query)}

    def graded(self) -> set[tuple[str, str]]:
        """Student and assignment of each submission that the gradebook holds and of which no cell waits for the autograder.

        Raises:
            CannotGrade: the gradebook cannot be read.
        """
        waits = Grade.auto_score.is_(None) & Grade.needs_manual_grade.is_not(True) & Grade.manual_score.is_(None)
        waiting = select(SubmittedNotebook.assignment_id).join(Grade, Grade.notebook_id == SubmittedNotebook.id).where(waits)
        query = select(SubmittedAssignment.student_id, Assignments.name).join(Assignments, Assignments.id == SubmittedAssignment.assignment_id)
        with self.gradebook() as gradebook:
            return {(student, name) for student, name in gradebook.db.execute(query.where(SubmittedAssignment.id.not_in(waiting)))}


@contextlib.contextmanager
def told() -> Iterator[None]:
    """Says what is wrong with a gradebook that cannot be used. Raises `CannotGrade` in place of the database's own exception."""
    try:
        yield
    except (SQLAlchemyError, ImportError) as error:
        raise explain([error], "the gradebook cannot be used", "run the same command again") from error


def _find_own_commands() -> None:
    """nbgrader calls `alembic` by name, so the folder of this Python's commands has to be on the path."""
    own = str(Path(sys.executable).parent)
    if own not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([own, os.environ.get("PATH", "")])


def _is_a(kind: object, wanted: type) -> bool:
    return issubclass(kind, wanted) if isinstance(kind, type) else isinstance(kind, wanted)
