"""What other programs call: grade one notebook or a course, and look beforehand whether the instructor's own solution passes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from nbjudge._analysis.instructor import Instructor
from nbjudge._commands.check import Checked, check_assignments
from nbjudge._course.course import Course
from nbjudge._course.grading import grade_class
from nbjudge._course.locks import turn
from nbjudge._course.outcomes import Outcome
from nbjudge._course.process_pool import LocalEngine
from nbjudge._execution.check import Finding
from nbjudge._execution.check import check_notebook as check_instructors
from nbjudge._execution.execute import Execution, execute
from nbjudge._nbgrader.preprocessors import missing_packages
from nbjudge._sandbox.starting import WarmKernels
from nbjudge._wire.errors import CannotGrade
from nbjudge._wire.limits import Limits


def grade_notebook(
    submitted: str | Path | NotebookNode,
    source: str | Path | NotebookNode,
    packages: Sequence[str] = (),
    limits: Limits = Limits(),
    sandbox: bool = True,
    files: str | Path | None = None,
    follow_through: bool = False,
) -> Execution:
    """Run a student's notebook in a sandbox, and judge it by the test cells of the instructor's. Needs no course and no gradebook.

    Args:
        submitted: what was handed in: a file, or a notebook that is read already. It is not changed.
        source: the instructor's notebook, with the solutions in it. Where it is a file, tests find what lies beside it; students do not.
        packages: importable packages that students' cells may see; Python's own folders they see anyway.
        limits: time, memory and sizes for this one notebook.
        sandbox: False runs the student's code with your own rights.
        files: a folder with what students' cells find beside them, such as data that was released with the notebook; nothing by default.
        follow_through: as for `switch_on`.

    Returns:
        The executed notebook, and one verdict for each test cell of `source`, in its order.

    Raises:
        CannotGrade: a file is no notebook, or a package is nowhere.
        SandboxMissing: no sandbox works on this machine.
        OwnFailure: the grader itself cannot work. Whatever the student wrote ends in verdicts.
    """
    notebook, instructor = _notebook(submitted), replace(_instructor(source, files), follow_through=follow_through)
    _find(packages)
    with WarmKernels(tuple(packages), sandbox) as warm:
        return execute(notebook, instructor, warm, limits, instructor.beside_solution)


def check_notebook(
    source: str | Path | NotebookNode,
    packages: Sequence[str] = (),
    limits: Limits = Limits(),
    sandbox: bool = True,
    files: str | Path | None = None,
) -> list[Finding]:
    """Grade the instructor's own solution: one finding for each test cell, with why it does not earn all points, and what to do; and one for each
    solution cell that stops.

    Arguments are those of `grade_notebook`: the solution finds beside it what a student would.

    Raises:
        CannotGrade: the file is no notebook, or a package is nowhere.
        OwnFailure: the grader itself cannot work.
    """
    instructor = _instructor(source, files)
    _find(packages)
    with WarmKernels(tuple(packages), sandbox) as warm:
        return check_instructors(instructor, warm, limits)


def grade_course(folder: str | Path, workers: int | None = None) -> list[Outcome]:
    """Grade everything in a course's `submitted/`, and write feedback. What was graded before, and has not changed, is not graded again.

    Args:
        folder: the one with `nbgrader_config.py`.
        workers: how many submissions to execute at once; one for each core by default.

    Returns:
        One outcome for each entry of `submitted/`, in the order in which they ended.

    Raises:
        CannotGrade: the course cannot be graded as it is; what is recorded stays.
        OwnFailure: nothing can be executed at all.
    """
    course = Course(Path(folder).resolve())
    with turn(course, "nbjudge grade", lambda words: None):
        return list(grade_class(course, engine=LocalEngine(workers)))


def check_course(folder: str | Path, assignments: Iterable[str] = ()) -> list[Checked]:
    """Grade the instructor's own solutions of a course. Its gradebook and its folders stay as they are.

    Args:
        folder: the one with `nbgrader_config.py`.
        assignments: names; all by default.

    Raises:
        CannotGrade: an assignment is not there.
        OwnFailure: the grader itself cannot work.
    """
    return list(check_assignments(Course(Path(folder).resolve()), list(assignments)))


def _find(packages: Sequence[str]) -> None:
    if missing := missing_packages(packages, Path.cwd()):
        raise CannotGrade(
            f"Python finds {', '.join(missing)} neither in {Path.cwd()} nor among what is installed, so students' cells could not import it",
            "mend the name in `packages`, or put the package there",
        )


def _instructor(source: str | Path | NotebookNode, files: str | Path | None) -> Instructor:
    folder = None if isinstance(source, NotebookNode) else Path(source).resolve().parent
    if files is not None and not Path(files).is_dir():
        raise CannotGrade(f"{files} is no folder, so students' cells would find nothing there", "look whether the path is right")
    return Instructor(_notebook(source), folder, given=() if files is None else (Path(files).resolve(),))


def _notebook(given: str | Path | NotebookNode) -> NotebookNode:
    if isinstance(given, NotebookNode):
        return given
    try:
        return nbformat.read(given, as_version=4)
    except OSError as error:
        raise CannotGrade(f"{given} cannot be read ({error.strerror})", "look whether the path is right") from error
    except Exception as error:  # nbformat raises whatever a strange file makes it
        raise CannotGrade(f"{given} is no notebook ({type(error).__name__})", "open it in JupyterLab and save it") from error
