"""A grading run that is stopped or killed: what is recorded stays, and the next run goes on."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from rich.console import Console

from authoring.lessons import ROOT
from examiner import cli
from examiner.classroom.course import Course
from examiner.classroom.outcomes import Outcome, Status
from specimens.notebooks import code, notebook, test_cell
from specimens.processes import descendants

STUDENTS = 24  # more than may wait for their feedback when the first outcomes come, and as many again
COMMAND = [sys.executable, "-m", "examiner", "grade", "--workers", "2"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
# Computes, and does not sleep: on a busy machine everything takes longer in the same proportion, recording and feedback, too.
SLOW = "import time\nend = time.process_time() + 0.5\nwhile time.process_time() < end: pass"


def make_course(root: Path, students: int = STUDENTS, first_cell: str = SLOW) -> Path:
    """One assignment, and students with right answers; `first_cell` comes before them in each notebook."""
    root.mkdir(exist_ok=True)
    shutil.copy(ROOT / "nbgrader_config.py", root)
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


@pytest.mark.parametrize("blow", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.slow)], ids=["ctrl_c", "kill"])
def test_a_stopped_run_keeps_what_it_recorded_and_the_next_goes_on(tmp_path: Path, blow: signal.Signals) -> None:
    root = make_course(tmp_path)
    run = begin(root)
    wait_for_outcomes(run, 2)
    family = descendants(run.pid)
    if blow is signal.SIGINT:
        os.killpg(run.pid, blow)  # as a terminal does: to everything that the command started
    else:
        run.send_signal(blow)
    said, _ = run.communicate(timeout=60)
    before, kept = receipts(root), recorded(root)
    assert 2 <= len(before) < STUDENTS, said
    assert all(kept[student] == 2 for student in before)
    if blow is signal.SIGINT:
        assert run.returncode == 130, said
        assert "outcomes are recorded; the same command goes on from here" in said
    assert_gone(family)
    assert f"{STUDENTS - len(before)} graded, {len(before)} graded before, 0 not graded" in finish(root)
    assert recorded(root) == {f"s{number}": 2 for number in range(STUDENTS)}
    assert {student: receipts(root)[student] for student in before} == before


def test_ctrl_c_counts_also_where_python_would_drop_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Dropped:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)  # where Python would print what is raised, and go on

    def outcomes(*_: object, **__: object) -> Iterator[Outcome]:
        for number in range(3):
            Dropped()
            yield Outcome(f"submitted/s{number}", Status.GRADED)

    monkeypatch.setattr(cli, "grade_class", outcomes)
    console = Console(file=io.StringIO())
    assert cli.grade(Course(make_course(tmp_path, students=1)), console) == cli.INTERRUPTED
    assert "1 outcomes are recorded" in console.file.getvalue()


def assert_gone(family: set[str]) -> None:
    """No process of a run is left, whatever ended it."""
    deadline = time.monotonic() + 20
    while (left := [number for number in family if Path("/proc", number).exists() and not is_zombie(number)]) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == [], [Path("/proc", number, "cmdline").read_text() for number in left]


def is_zombie(number: str) -> bool:
    try:
        return Path("/proc", number, "stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True
