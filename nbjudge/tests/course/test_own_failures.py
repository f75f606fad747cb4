"""What goes wrong on the grader's side is never a 0: it is said, nothing is recorded, and the next run grades it."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from rich.console import Console

from helpers.courses import COMMAND, ENVIRONMENT, SLOW, begin, grade, make_course, recorded, wait_for_outcomes
from nbjudge._course.outcomes import Outcome, Status
from nbjudge._execution.execute import execute
from nbjudge._execution.verdicts import Verdict
from nbjudge._report.terminal import FEW, print_report
from nbjudge._wire.errors import KernelLost, KernelStartFailed
from nbjudge.testing.notebooks import code, notebook, test_cell
from nbjudge.testing.processes import descendants, parent
from nbjudge.testing.small_course import rows_by_question

FULL = {"s0": 2.0, "s1": 2.0}


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Two students with right answers."""
    return make_course(tmp_path / "course", students=2, first_cell="import math")


def set_start_seconds(root: Path, seconds: str) -> None:
    with (root / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write(f"\nc.Execute.limits = {{'start_seconds': {seconds}}}\n")


@pytest.mark.slow
def test_kernels_that_do_not_start_cost_no_points(course: Path) -> None:
    set_start_seconds(course, "0")
    broken = grade(course)
    assert broken.returncode == 1
    assert "2 in submitted/: 0 graded, 0 graded before, 2 not graded" in broken.stdout
    assert (
        "submitted/s0/first/work.ipynb, submitted/s1/first/work.ipynb: the grader failed on it twice "
        "(KernelStartFailed: A student kernel did not come up." in broken.stdout
    ), broken.stdout
    assert recorded(course) == {}
    set_start_seconds(course, "20")
    assert grade(course).returncode == 0
    assert recorded(course) == FULL


@pytest.mark.slow
def test_what_lies_in_the_way_of_one_costs_the_others_nothing(tmp_path: Path) -> None:
    course = make_course(tmp_path / "course", students=3, first_cell="import math")
    in_the_way = [course / "autograded" / "s0", course / "feedback" / "s1"]
    for file in in_the_way:
        file.parent.mkdir()
        file.write_text("", encoding="utf-8")
    broken = grade(course)
    assert sorted(path.name for path in course.glob("autograded/s2/first/*")) == [".graded.json", "work.ipynb"]  # and no other file
    assert "3 in submitted/: 1 graded, 0 graded before, 2 not graded" in broken.stdout, broken.stdout + broken.stderr
    assert recorded(course) == {"s1": 2, "s2": 2}  # s1 lacks the page alone
    for file in in_the_way:
        file.unlink()
    assert "3 in submitted/: 2 graded, 1 graded before, 0 not graded" in grade(course).stdout
    assert recorded(course) == {**FULL, "s2": 2}


@pytest.mark.slow
def test_a_lesson_that_nbgrader_refuses_costs_the_others_nothing(course: Path) -> None:
    released = code("### BEGIN SOLUTION\nx = 1\n### END SOLUTION", locked=True, grade_id="given", cell_type="code")
    for folder in "source/again", "submitted/s0/again":
        (course / folder).mkdir(parents=True)
        nbformat.write(notebook(released, test_cell("x_test", "assert x == 1")), course / folder / "work.ipynb")
    done = grade(course)
    assert done.returncode == 1, done.stdout
    assert "3 in submitted/: 2 graded, 0 graded before, 1 not graded" in done.stdout
    assert "submitted/s0/again/work.ipynb: nbgrader refuses the assignment again: RuntimeError: Solution region detected in a" in done.stdout, (
        done.stdout
    )
    assert "(look at work, given)" in done.stdout
    assert recorded(course) == FULL
    shutil.rmtree(course / "source" / "again")
    shutil.rmtree(course / "submitted" / "s0" / "again")
    assert "2 in submitted/: 0 graded, 2 graded before" in grade(course).stdout


def test_a_gradebook_that_is_none_is_told_and_left_alone(course: Path) -> None:
    (course / "gradebook.db").write_text("not a database, and somebody may want it back " * 99, encoding="utf-8")
    broken = grade(course)
    assert broken.returncode == 1
    assert "gradebook.db is no database. Next: put a copy of it back, or move it away" in broken.stderr
    assert "Traceback" not in broken.stderr
    assert (course / "gradebook.db").read_text(encoding="utf-8").startswith("not a database")
    (course / "gradebook.db").unlink()
    assert grade(course).returncode == 0
    assert recorded(course) == FULL


@pytest.mark.slow
@pytest.mark.parametrize(
    ("setting", "why"),
    [
        ("c.Execute.packages = ['attnlab', 'no_such_package', 'math.no_such']", "names no_such_package, math.no_such, which Python finds neither"),
        (
            "c.Autograde.autograde_preprocessors = ['nbgrader.preprocessors.Execute', *c.Autograde.autograde_preprocessors]",
            "does not name the grader's Execute, and it alone",
        ),
        ("c.Autograde.autograde_preprocessors = ['nbgrader.preprocessors.SaveAutoGrades']", "does not name the grader's Execute"),
    ],
)
def test_a_setting_that_cannot_be_meant_is_refused_before_anything_starts(course: Path, setting: str, why: str) -> None:
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write(f"\n{setting}\n")
    refused = grade(course)
    assert refused.returncode == 1
    assert why in refused.stderr
    assert not (course / "gradebook.db").exists() and not (course / "autograded").exists()


@pytest.mark.slow
def test_a_package_of_the_course_folder_is_found_wherever_the_command_is_typed(course: Path, tmp_path: Path) -> None:
    (course / "our_lessons").mkdir()
    (course / "our_lessons" / "__init__.py").write_text("def twice(x): return 2 * x", encoding="utf-8")
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write("\nc.Execute.packages = ['our_lessons']\n")
    for path in (course / "submitted").glob("*/*/*.ipynb"):
        nb = nbformat.read(path, as_version=4)
        nb.cells[1].source = "from our_lessons import twice\ndef double(x): return twice(x)"
        nbformat.write(nb, path)
    done = subprocess.run(
        [*COMMAND, "--course", str(course)], cwd=tmp_path, env=ENVIRONMENT, text=True, capture_output=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert recorded(course) == FULL


def test_what_is_the_same_for_many_is_told_once() -> None:
    broken = Verdict("t_test", 0, 1, "error", "This test cell cannot run: no module named x.")
    outcomes = [Outcome(f"submitted/s{n}/a/w.ipynb", Status.NOT_GRADED, why="kernels do not start", next_step="look") for n in range(10)]
    outcomes += [Outcome(f"submitted/s{n}/a/w.ipynb", Status.GRADED, f"s{n}", "a", broken_tests=[broken]) for n in range(10, 30)]
    outcomes[11].notes.append("it is odd")
    console = Console(file=io.StringIO(), width=200)
    print_report(console, [], outcomes)
    said = console.file.getvalue()
    assert said.count("kernels do not start") == said.count("no module named x") == said.count("it is odd") == 1
    assert "submitted/s0/a/w.ipynb, submitted/s1/a/w.ipynb, submitted/s2/a/w.ipynb and 7 more (10 in all): kernels do not start" in said
    assert "a/t_test, 20 students (s10, s11, s12 and 17 more (20 in all)): This test cell cannot run: no module named x." in said


def test_without_the_grader_nothing_is_graded(course: Path, tmp_path: Path) -> None:
    """nbgrader goes on with its own steps when its configuration stops with an error, and those protect nobody."""
    (broken := tmp_path / "broken" / "nbjudge").mkdir(parents=True)
    (broken / "__init__.py").write_text("raise ImportError('no module named cloudpickle')", encoding="utf-8")
    nbgrader = [sys.executable, "-m", "nbgrader", "autograde", "first", "--create"]
    done = subprocess.run(
        nbgrader,
        cwd=course,
        text=True,
        capture_output=True,
        timeout=100,
        check=False,
        env={**ENVIRONMENT, "PYTHONPATH": str(tmp_path / "broken")},
    )
    assert done.returncode != 0
    assert "The grader cannot be imported" in done.stdout + done.stderr
    assert not (course / "autograded").exists()


def test_no_word_of_a_student_decides_anything(tmp_path: Path) -> None:
    words = ["KeyboardInterrupt", "No space left on device", "database or disk is full", "x\nKeyboardInterrupt\n"]
    course = make_course(tmp_path / "course", students=len(words) + 1, first_cell="import math")
    for number, text in enumerate(words):
        (course / "submitted" / f"s{number}" / "first" / "timestamp.txt").write_text(text, encoding="utf-8")
    done = grade(course)
    assert done.returncode == 0, done.stderr
    assert f"{len(words) + 1} in submitted/: 1 graded, 0 graded before, {len(words)} not graded" in done.stdout
    assert f"and {len(words) - FEW} more ({len(words)} in all): its timestamp.txt is not a date." in done.stdout
    assert sum("its timestamp.txt is not a date" in row["why"] for row in rows_by_question(course)) == len(words)
    assert recorded(course)[f"s{len(words)}"] == 2


@pytest.mark.parametrize("test", ["assert good(2) == 3", "try:\n    good(2)\nexcept BaseException:\n    pass"], ids=["asks", "swallows"])
def test_a_kernel_that_cannot_start_again_is_no_verdict(warm, limits, monkeypatch: pytest.MonkeyPatch, test: str) -> None:
    nb = notebook("import os\ndef good(x): return x + 1\ndef crash(): os._exit(0)", test_cell("crashes", "crash()"), test_cell("after", test))
    start, started = warm.start, []

    def start_once(*arguments: object, **settings: object) -> object:
        started.append(1)
        if len(started) > 1:
            raise KernelStartFailed("A student kernel did not come up.")
        return start(*arguments, **settings)

    monkeypatch.setattr(warm, "start", start_once)
    with pytest.raises(KernelStartFailed):
        execute(nb, nb, warm, limits)


def command_line(process: str) -> str:
    try:
        return Path("/proc", process, "cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def warm_process(family: set[str]) -> list[str]:
    return [process for process in family if "nbjudge._student.fork_server" in command_line(process)]


def pool_workers(family: set[str]) -> list[str]:
    """Children of the process that they are forked from, which is a copy of the command."""
    copies = [process for process in family if "nbjudge grade" in command_line(process)]
    return [process for process in copies if parent(process) in copies]


@pytest.mark.slow
@pytest.mark.parametrize("found", [warm_process, pool_workers])
def test_processes_that_are_killed_in_the_middle_of_a_class_cost_nothing(tmp_path: Path, found: Callable[[set[str]], list[str]]) -> None:
    course = make_course(tmp_path / "course", students=6, first_cell=SLOW)
    run = begin(course)
    wait_for_outcomes(run, 1)
    blows = found(descendants(run.pid))
    assert blows
    for process in blows:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(process), signal.SIGKILL)
    said, _ = run.communicate(timeout=200)
    assert all(score == 2 for score in recorded(course).values()), said
    assert grade(course).returncode == 0
    assert recorded(course) == {f"s{number}": 2 for number in range(6)}


def with_mounts(root: Path, mounts: str) -> subprocess.CompletedProcess[str]:
    """Grade where `mounts` changed what the file system is. Skips where this user may mount nothing."""
    namespace = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-Urm"]
    if subprocess.run([*namespace, "sh", "-c", mounts], cwd=root, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    return subprocess.run(
        [*namespace, "sh", "-c", f'{mounts} && exec "$@"', "sh", *COMMAND],
        cwd=root,
        env=ENVIRONMENT,
        text=True,
        capture_output=True,
        timeout=300,
        check=False,
    )


READ_ONLY = "mount --bind {0} {0} && mount -o remount,bind,ro {0}"


@pytest.mark.slow
@pytest.mark.parametrize("place", ["autograded", "feedback"])
def test_a_folder_that_cannot_be_written_is_no_zero(course: Path, place: str) -> None:
    (course / place).mkdir()
    broken = with_mounts(course, READ_ONLY.format(place))
    assert "2 in submitted/: 0 graded, 0 graded before, 2 not graded" in broken.stdout, broken.stdout + broken.stderr
    assert "Read-only file system" in broken.stdout
    assert grade(course).returncode == 0
    assert recorded(course) == FULL


def test_a_gradebook_that_cannot_be_written_is_no_zero(course: Path) -> None:
    """Other points than before are to be recorded; where nothing changes, nbgrader writes nothing."""
    path = course / "submitted" / "s0" / "first" / "work.ipynb"
    right = path.read_text(encoding="utf-8")
    path.write_text(right.replace("return 2 * x", "return 3 * x"), encoding="utf-8")
    assert grade(course).returncode == 0
    assert recorded(course) == {"s0": 0, "s1": 2}
    path.write_text(right, encoding="utf-8")
    broken = with_mounts(course, READ_ONLY.format("gradebook.db"))
    assert "Traceback" not in broken.stderr, broken.stderr
    assert "2 in submitted/: 0 graded, 1 graded before, 1 not graded" in broken.stdout or broken.returncode == 1, broken.stdout
    assert recorded(course) == {"s0": 0, "s1": 2}
    assert grade(course).returncode == 0
    assert recorded(course) == FULL


@pytest.mark.slow
def test_a_gradebook_that_another_program_has_locked_is_no_zero(course: Path) -> None:
    assert grade(course).returncode == 0
    shutil.rmtree(course / "autograded")
    with contextlib.closing(sqlite3.connect(course / "gradebook.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        broken = grade(course)
        other.execute("ROLLBACK")
    assert broken.returncode == 1
    assert "Traceback" not in broken.stderr, broken.stderr
    assert not list(course.glob("autograded/*/first/.graded.json"))
    assert grade(course).returncode == 0
    assert recorded(course) == FULL


@pytest.mark.slow
def test_a_feedback_folder_that_is_a_file_is_no_zero(course: Path) -> None:
    (course / "feedback").write_text("", encoding="utf-8")
    broken = grade(course)
    assert "Traceback" not in broken.stderr, broken.stderr
    assert "2 in submitted/: 0 graded, 0 graded before, 2 not graded" in broken.stdout
    assert 0 not in recorded(course).values()
    (course / "feedback").unlink()
    assert grade(course).returncode == 0
    assert recorded(course) == FULL


@pytest.mark.parametrize("test", ["slow()", "try:\n    slow()\nexcept BaseException:\n    pass"], ids=["asks", "swallows"])
def test_a_supervisor_that_is_killed_is_no_verdict(warm, limits, monkeypatch: pytest.MonkeyPatch, test: str) -> None:
    nb = notebook("import time\ndef slow(): time.sleep(1.5)", test_cell("t", test))
    start, timers = warm.start, []

    def start_and_kill(*arguments: object, **settings: object) -> object:
        kernel = start(*arguments, **settings)
        supervisor = parent(kernel.process)
        timers.append(threading.Timer(0.7, os.kill, (int(supervisor), signal.SIGKILL)))
        timers[-1].start()
        return kernel

    monkeypatch.setattr(warm, "start", start_and_kill)
    with pytest.raises(KernelLost):
        execute(nb, nb, warm, limits)
    for timer in timers:
        timer.join()
    monkeypatch.undo()
    assert execute(nb, nb, warm, limits).verdicts[0].points == 1
