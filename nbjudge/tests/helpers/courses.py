"""Courses with one assignment, graded by the command as an instructor types it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook

from nbjudge.testing.notebooks import code, notebook, test_cell
from nbjudge.testing.processes import is_running

CONFIG = """
try:
    from nbjudge import switch_on
except ImportError as error:
    raise SystemExit(f"The grader cannot be imported ({error}). Nothing was done.") from error

c = get_config()
c.CourseDirectory.course_id = "doubles"
c.CourseDirectory.release_directory = "notebooks"
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "*.md", "references.py", "answers"]
switch_on(c)
c.Execute.limits = {"cell_seconds": 10, "test_seconds": 20}
"""
STUDENTS = 24  # more than may wait for their feedback when the first outcomes come, and as many again
COMMAND = [sys.executable, "-m", "nbjudge", "grade", "--workers", "2"]
ENVIRONMENT = {**os.environ, "PYTHONUNBUFFERED": "1"}
# Computes, and does not sleep: on a busy machine everything takes longer in the same proportion, recording and feedback, too.
SLOW = "import time\nend = time.process_time() + 0.5\nwhile time.process_time() < end: pass"


def make_course(root: Path, students: int = STUDENTS, first_cell: str = SLOW) -> Path:
    """One assignment, and students with right answers; `first_cell` comes before them in each notebook."""
    root.mkdir(exist_ok=True)
    (root / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    solution = code("### BEGIN SOLUTION\ndef double(x):\n    return 2 * x\n### END SOLUTION", solution=True, grade_id="double", cell_type="code")
    source = notebook(first_cell, solution, test_cell("double_test", "assert double(4) == 8", 2))
    for folder in ("source/first", *(f"submitted/s{number}/first" for number in range(students))):
        (root / folder).mkdir(parents=True)
        nbformat.write(source, root / folder / "work.ipynb")
    return root


def begin(root: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(COMMAND, cwd=root, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)


def finish(root: Path) -> str:
    return subprocess.run(COMMAND, cwd=root, env=ENVIRONMENT, text=True, capture_output=True, timeout=300, check=True).stdout


def wait_for_outcomes(run: subprocess.Popen[str], count: int) -> None:
    """Read the run's lines until `count` submissions are graded."""
    seen = 0
    for line in run.stdout:
        seen += line.strip().startswith("graded ")
        if seen == count:
            return
    raise AssertionError("the run ended before it was stopped")


def recorded(root: Path) -> dict[str, float]:
    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        return {submission.student_id: submission.score for submission in gradebook.assignment_submissions("first")}


def receipts(root: Path) -> dict[str, float]:
    return {path.parent.parent.name: path.stat().st_mtime for path in root.glob("autograded/*/first/.graded.json")}


def assert_gone(family: set[str]) -> None:
    """No process of a run is left, whatever ended it."""
    deadline = time.monotonic() + 20
    while (left := [number for number in family if is_running(number)]) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == [], [Path("/proc", number, "cmdline").read_text() for number in left]


def grade(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(COMMAND, cwd=root, env=ENVIRONMENT, text=True, capture_output=True, timeout=300, check=False)


def about(name: str, **more: object) -> dict[str, object]:
    """The metadata of a cell that nbgrader knows by a name."""
    kind = {"grade": False, "solution": False, "task": False, "locked": False, "schema_version": 3, "grade_id": name}
    return {"nbgrader": {**kind, **more}}
