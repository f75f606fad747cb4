"""nbgrader's own commands with the grader switched on: points, gradebook, autograded copies, feedback."""

import os
import sys

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearOutput,
    DeduplicateIds,
    GetGrades,
    IgnorePattern,
    LimitOutput,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
)
from traitlets.config import Config

from hostile import CHEATS, HONEST, TESTS, cheat_source, cheat_submission
from nbjudge._analysis.instructor import Markers
from nbjudge._nbgrader.preprocessors import Execute, HideTests, RecoverCells, source_from_gradebook
from nbjudge._wire.errors import CannotGrade

pytestmark = pytest.mark.slow

BY_NAME = {path.stem: path for path in CHEATS}
STUDENTS = {
    "honest": 10,
    "loud": 10,
    "crash": 0,
    "notebook_tests_removed": 0,
    "notebook_own_test": 0,
    "notebook_tests_unlocked": 0,
    "notebook_tests_as_text": 0,
    "notebook_tests_emptied": 0,
    "notebook_outputs_forged": 0,
    "notebook_tests_doubled": 0,
    "notebook_points_raised": 0,
}
LOUD = "import warnings, sys\nwarnings.warn('careful')\nprint('error!', file=sys.stderr)\n" + HONEST


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course folder with one assignment, graded: nbgrader's converters do everything but execute."""
    root = tmp_path_factory.mktemp("course")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)  # nbgrader logs and looks for settings in the current folder
        # nbgrader starts alembic by name to make its gradebook
        patch.setenv("PATH", f"{sys.prefix}/bin{os.pathsep}{os.environ['PATH']}")
        yield _graded(root)


def _graded(root):
    config = Config()
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.assignment_id = "first"
    config.Autograde.autograde_preprocessors = [
        Execute,
        IgnorePattern,
        "nbconvert.preprocessors.ClearMetadataPreprocessor",
        LimitOutput,
        SaveAutoGrades,
        AssignLatePenalties,
        CheckCellMetadata,
        HideTests,
    ]
    config.Autograde.sanitize_preprocessors = [RecoverCells, ClearOutput, DeduplicateIds, OverwriteKernelspec, OverwriteCells, CheckCellMetadata]
    config.ClearMetadataPreprocessor.enabled = False
    config.OverwriteCells.add_missing_cells = True
    config.GenerateFeedback.preprocessors = [GetGrades, HideTests, "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor"]
    (root / "source" / "first").mkdir(parents=True)
    nbformat.write(cheat_source(), root / "source" / "first" / "work.ipynb")
    coursedir = CourseDirectory(config=config)
    GenerateAssignment(coursedir=coursedir, config=config).start()
    for name in STUDENTS:
        folder = root / "submitted" / name / "first"
        folder.mkdir(parents=True)
        nbformat.write(_submission(name, root / "release" / "first" / "work.ipynb"), folder / "work.ipynb")
    Autograde(coursedir=coursedir, config=config).start()
    GenerateFeedback(coursedir=coursedir, config=config).start()
    return root


def _submission(name, release):
    if name in BY_NAME:
        nb = cheat_submission(BY_NAME[name])
        for cell in nb.cells:  # a student never had the hidden tests
            cell.source = Markers().visible(cell.source)
        return nb
    nb = nbformat.read(release, as_version=4)
    nb.cells[1].source = {"honest": HONEST, "loud": LOUD, "crash": "import os\nos._exit(1)"}[name]
    return nb


@pytest.mark.parametrize("student, points", STUDENTS.items())
def test_points_in_the_gradebook(course, student, points):
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        submission = gradebook.find_submission("first", student)
        assert (submission.score, submission.max_score) == (points, 10)
        assert not submission.needs_manual_grade


@pytest.mark.parametrize("student", STUDENTS)
def test_students_never_see_hidden_tests(course, student):
    copies = [course / "autograded" / student / "first" / "work.ipynb", course / "feedback" / student / "first" / "work.html"]
    for path in copies:
        text = path.read_text()
        assert "HIDDEN TESTS" not in text and "RandomState(7)" not in text and "assert not is_symmetric" not in text
        assert "expected (1, 2)" in text, "the visible part of a test stays"


def test_feedback_says_what_to_do(course):
    text = (course / "feedback" / "crash" / "first" / "work.html").read_text()
    assert "defines no" in text and "softmax" in text and "Traceback (most recent" not in text


def test_source_comes_from_the_gradebook(course):
    source = source_from_gradebook(f"sqlite:///{course}/gradebook.db", "first", "work")
    assert {cell.metadata.nbgrader.grade_id: cell.source for cell in source.cells} == {name: text.strip("\n") for name, text in TESTS.items()}


def test_an_unknown_limit_is_refused():
    with pytest.raises(TypeError, match="second_s"):
        Execute(limits={"second_s": 1})


def test_nbgraders_own_timeout_counts_where_no_limit_is_named():
    limits = Execute(timeout=7, limits={"test_seconds": 3}).chosen_limits()
    assert (limits.cell_seconds, limits.test_seconds) == (7, 3)
    assert Execute().chosen_limits().cell_seconds == 30


def test_another_language_is_refused_not_failed(course):
    nb = cheat_source()
    nb.metadata["kernelspec"] = {"name": "ir", "language": "R", "display_name": "R"}
    about = {"db_url": f"sqlite:///{course}/gradebook.db", "assignment": "first", "notebook": "work"}
    with pytest.raises(CannotGrade, match="for R; the grader grades Python only"):
        Execute().preprocess(nb, {"nbgrader": about, "metadata": {"path": str(course)}})
