"""What nbgrader's configuration names: `Execute` and `SaveGrades` in place of nbgrader's own, `HideTests`, and `RecoverCells`."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme, ClearSolutions, NbGraderPreprocessor, SaveAutoGrades
from traitlets import Bool, Dict, Enum, Float, List, Unicode, Union, validate
from traitlets.config import Configurable
from traitlets.utils.importstring import import_item

from nbjudge._analysis.instructor import BESIDE, Instructor, Markers, as_recorded, grade_id, is_test
from nbjudge._execution.execute import execute
from nbjudge._execution.verdicts import is_not_judged
from nbjudge._nbgrader.clues import write_clues
from nbjudge._recovery.given import given_cells
from nbjudge._recovery.mending import mend
from nbjudge._sandbox.accounts import ACCOUNTS
from nbjudge._sandbox.starting import shared_kernels
from nbjudge._wire.errors import CannotGrade
from nbjudge._wire.limits import Limits

SCHEMA = 3  # of nbgrader's metadata


class Execute(NbGraderPreprocessor):
    """Drop-in for `nbgrader.preprocessors.Execute`: student cells in a sandbox, test cells in this process."""

    limits = Dict(help="Limits that differ from the usual ones, by name: see nbjudge.Limits.").tag(config=True)
    timeout = Float(
        None,
        allow_none=True,
        help="Seconds for each cell: nbgrader's own setting, for courses that have it. `cell_seconds` and `test_seconds` of `limits` go before it.",
    ).tag(config=True)
    packages = List(Unicode(), help="Importable packages that notebooks need and that live in the course folder.").tag(config=True)
    beside_students = List(
        Unicode(),
        help="Test cells that run on the second road: in a process of their own, together with the student's code. "
        "Each one is cell, assignment/cell, assignment/*, or * for all.",
    ).tag(config=True)
    sandbox = Union(
        [Bool(True), Enum([ACCOUNTS])],
        help='False runs student code without any protection; "accounts" is for a container that is thrown away after one submission.',
    ).tag(config=True)
    follow_through = Bool(
        False, help="Whether what an exercise calls of earlier exercises is the solution's where the student's own failed its test."
    ).tag(config=True)

    @validate("limits")
    def _valid_limits(self, proposal: dict[str, Any]) -> dict[str, Any]:
        Limits(**proposal["value"])  # an unknown name is an error here, not in the middle of a class
        return proposal["value"]

    def chosen_limits(self) -> Limits:
        """The limits of one submission, with all settings in them."""
        usual = {} if self.timeout is None else {"cell_seconds": self.timeout, "test_seconds": self.timeout}
        return Limits(**{**usual, **self.limits})

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Execute one notebook. The verdicts are left in `resources["nbjudge"]`.

        Raises:
            CannotGrade: the notebook is not in Python, one of `packages` is nowhere, or the steps are not those that `switch_on` sets.
            OwnFailure: the grader itself cannot work.
        """
        refuse_other_languages(nb)
        find_packages(self.packages, Path.cwd())  # nbgrader works in the course's folder
        about = resources["nbgrader"]
        instructor = instructor_of(self, about["db_url"], about["assignment"], about["notebook"])
        folder = Path(resources["metadata"]["path"])
        warm = shared_kernels(tuple(self.packages), self.sandbox)
        execution = execute(nb, instructor, warm, self.chosen_limits(), folder if has_other_files(folder) else None)
        if execution.cut_short:
            self.log.warning("%s", execution.cut_short)
        for verdict in execution.verdicts:
            self.log.info("%s: %s, %g of %g", verdict.grade_id, verdict.kind, verdict.points, verdict.max_points)
            if verdict.kind == "unjudged":
                self._require_own_step()
                self.log.warning("the test cell %s could not judge, and waits for a person: %s", verdict.grade_id, verdict.message)
        root = Path(CourseDirectory(parent=self).root)
        with contextlib.suppress(OSError):  # a report tells less then, and nobody loses a point
            write_clues(root, about["student"], about["assignment"], {about["notebook"]: execution.verdicts})
        resources["nbjudge"] = execution.verdicts
        return execution.notebook, resources

    def _require_own_step(self) -> None:
        """See that no step makes a 0 of what a test could not judge. Raises `CannotGrade`."""
        steps = Autograde(config=self.config).autograde_preprocessors
        if any((import_item(step) if isinstance(step, str) else step) is SaveAutoGrades for step in steps):
            raise CannotGrade(
                "a test could not judge, and c.Autograde.autograde_preprocessors names nbgrader's own SaveAutoGrades, which would write a 0",
                "call `switch_on(c)` in nbgrader_config.py, and leave those steps as it sets them",
            )


class SaveGrades(SaveAutoGrades):
    """nbgrader's step, which marks a test cell that could not judge as one that a person has to look at: no points, and no 0.

    Points that somebody gave there by hand stay, as at every cell.
    """

    def _add_score(self, cell: NotebookNode, resources: dict[str, Any]) -> None:
        if not (is_test(cell) and is_not_judged(cell)):
            super()._add_score(cell, resources)
            return
        grade = self.gradebook.find_grade(grade_id(cell), self.notebook_id, self.assignment_id, self.student_id)
        grade.auto_score, grade.needs_manual_grade = None, True
        self.gradebook.db.commit()


class HideTests(NbGraderPreprocessor):
    """Takes hidden tests out of what students get: feedback, and the autograded notebook."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """All cells, with the marks that the course has chosen."""
        self._markers = markers_of(self)
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell: NotebookNode, resources: dict[str, Any], index: int) -> tuple[NotebookNode, dict[str, Any]]:
        """Remove hidden tests from the text, and from outputs everything but nbgrader's points and the message."""
        cell.source = self._markers.visible(cell.source)
        if is_test(cell):
            cell.outputs = [_without_frames(output) for output in cell.outputs]
        return cell, resources


def markers_of(step: NbGraderPreprocessor) -> Markers:
    """The marks of hidden tests in the course whose configuration `step` has."""
    clearing = ClearHiddenTests(parent=step)
    return Markers(clearing.begin_test_delimeter, clearing.end_test_delimeter)


def answer_marks_of(step: NbGraderPreprocessor) -> Markers:
    """The same of what students write."""
    clearing = ClearSolutions(parent=step)
    return Markers(clearing.begin_solution_delimeter, clearing.end_solution_delimeter)


def instructor_of(step: Execute, db_url: str, assignment: str, notebook: str) -> Instructor:
    """The instructor's side of a notebook: `source/` with the solutions where it is there, and test cells as the gradebook has them."""
    course = CourseDirectory(parent=step)
    folder = Path(course.format_path(course.source_directory, ".", assignment))
    path = folder / f"{notebook}.ipynb"
    recorded = cells_from_gradebook(db_url, assignment, notebook)
    source = nbformat.read(path, as_version=4) if path.is_file() else None
    whole = as_recorded(source, recorded)
    beside = {name.removeprefix(f"{assignment}/") for name in step.beside_students}
    markers = markers_of(step)
    unnamed = [cell for cell in source.cells if cell.cell_type == "code" and not grade_id(cell)] if source is not None else []
    given = [cell.source for cell in (*recorded.cells, *unnamed) if not is_test(cell)]
    if "*" in beside:
        beside = {str(grade_id(cell)) for cell in whole.cells if is_test(cell)}
    return Instructor(
        whole,
        folder if folder.is_dir() else None,
        markers,
        frozenset(beside),
        complete=source is not None,
        follow_through=step.follow_through,
        answers=answer_marks_of(step),
        handed_out=frozenset(text.strip() for one in given for text in (one, markers.visible(one))),
    )


def metadata_from_gradebook(db_url: str, assignment: str, notebook: str) -> dict[str, NotebookNode]:
    """nbgrader's metadata of every cell that the instructor named, as recorded when the assignment was generated."""
    with Gradebook(db_url) as gradebook:
        found = gradebook.find_notebook(notebook, assignment)
        points = {cell.name: cell.max_score for cell in (*found.grade_cells, *found.task_cells)}
        grades, solutions, tasks = ({cell.name for cell in cells} for cells in (found.grade_cells, found.solution_cells, found.task_cells))
        return {
            cell.name: from_dict(
                {
                    "grade": cell.name in grades,
                    "solution": cell.name in solutions,
                    "task": cell.name in tasks,
                    "locked": cell.locked,
                    "schema_version": SCHEMA,
                    "grade_id": cell.name,
                    "checksum": cell.checksum,
                    "cell_type": cell.cell_type,
                    **({"points": points[cell.name]} if cell.name in points else {}),
                }
            )
            for cell in found.source_cells
        }


def cells_from_gradebook(db_url: str, assignment: str, notebook: str) -> NotebookNode:
    """The instructor's code cells as nbgrader recorded them when the assignment was generated. Reads only."""
    metadata = metadata_from_gradebook(db_url, assignment, notebook)
    with Gradebook(db_url) as gradebook:
        sources = {cell.name: cell.source for cell in gradebook.find_notebook(notebook, assignment).source_cells}
    return new_notebook(
        cells=[new_code_cell(sources[name], metadata={"nbgrader": about}) for name, about in metadata.items() if about["cell_type"] == "code"]
    )


def source_from_gradebook(db_url: str, assignment: str, notebook: str) -> NotebookNode:
    """The instructor's test cells alone, as `cells_from_gradebook` has them."""
    found = cells_from_gradebook(db_url, assignment, notebook)
    found.cells = [cell for cell in found.cells if is_test(cell)]
    return found


def find_packages(names: Iterable[str], root: Path) -> None:
    """See that each of `c.Execute.packages` is somewhere; from now on the course's folder is searched for imports, too, as the last.

    Raises:
        CannotGrade: one of them is nowhere.
    """
    if missing := missing_packages(names, root):
        raise CannotGrade(
            f"c.Execute.packages in nbgrader_config.py names {', '.join(missing)}, which Python finds neither in {root} "
            "nor among what is installed. Nothing was graded",
            "mend the name, or put the package into the course's folder",
        )


def missing_packages(names: Iterable[str], root: Path) -> list[str]:
    """Those that are nowhere. From now on `root` is searched for imports, too, as the last."""
    if str(root) not in sys.path:
        sys.path.append(str(root))
    return [name for name in names if not _is_found(name)]


def _is_found(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):  # a parent package that is none, or a name such as ".x"
        return False


def has_other_files(folder: Path) -> bool:
    """Whether a notebook's folder holds anything a cell could read."""
    return any(_is_other(path) for path in folder.iterdir())


def _is_other(path: Path) -> bool:
    return path.suffix != ".ipynb" and path.name not in BESIDE and not path.name.startswith(".")


def refuse_other_languages(nb: NotebookNode) -> None:
    """Student kernels are Python; cells of another language would all fail, and look like a student's mistakes."""
    kernel = nb.metadata.get("kernelspec")
    language = kernel.get("language") if isinstance(kernel, dict) else None
    if language and not str(language).lower().startswith("python"):
        raise CannotGrade(f"the notebook's kernel is for {language}; the grader grades Python only", "set the kernel in source/")


def _without_frames(output: NotebookNode) -> NotebookNode:
    if output.output_type == "error":
        output.traceback = output.evalue.splitlines()
    return output


CHANGES = "nbjudge_changes"  # in the resources of nbgrader's steps: what was changed
STRANGER = (
    "it has none of the assignment's cells, so it was not made from the released notebook",
    "ask the student to work in the released notebook",
)


class RecoverCells(NbGraderPreprocessor):
    """Gives each cell the nbgrader metadata that the instructor gave it, also where an editor lost or doubled its name.

    First of `c.Autograde.sanitize_preprocessors`. nbgrader's own steps stop with an error, or believe it, when a submission's metadata is not
    what they expect. What was changed stands in the first cell of the notebook then, and in `resources`.
    """

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Find the cells that the gradebook knows; see `nbjudge._recovery`.

        Raises:
            CannotGrade: there are such cells, and none of them is in the submission.
        """
        about = resources["nbgrader"]
        where = about["db_url"], about["assignment"], about["notebook"]
        known = metadata_from_gradebook(*where)
        mended = mend(nb, given_cells(CourseDirectory(parent=self), marks_of(self), *where), known)
        if known and not mended.found:
            raise CannotGrade(*STRANGER)
        nb.cells = mended.cells
        resources[CHANGES] = mended.changes
        return nb, resources


class NameCells(NbGraderPreprocessor):
    """Writes each cell's name into `metadata.id`, too: Colab takes away cell ids and leaves that. Last of `c.GenerateAssignment.preprocessors`."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Name every cell by its grade id, or by its cell id where nbgrader does not know it."""
        for cell in nb.cells:
            if name := cell.metadata.get("nbgrader", {}).get("grade_id") or cell.get("id"):
                cell.metadata["id"] = name
        return nb, resources


def marks_of(step: Configurable) -> list[Markers]:
    """What the course chose for what students do not have: hidden tests and marking schemes."""
    tests, schemes = ClearHiddenTests(parent=step), ClearMarkScheme(parent=step)
    return [
        Markers(tests.begin_test_delimeter, tests.end_test_delimeter),
        Markers(schemes.begin_mark_scheme_delimeter, schemes.end_mark_scheme_delimeter),
    ]
