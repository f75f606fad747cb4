"""`python -m tests` is whole and leaves nothing: what was collected has an outcome, what dies is replaced, and nothing goes on after it.

Each test has a small suite of its own, which is run as `make test` runs the suite.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import psutil
import pytest

import tests.__main__ as runner

ROOT = Path(__file__).resolve().parents[2]
PASSES = "def test_passes(): assert True\n"
FAILS = "def test_fails(): assert False\n"
AT_FIRST = "import os, pathlib, signal\nseen = pathlib.Path(__file__).with_suffix('.seen')\n"
LATE = AT_FIRST + "def test_late():\n    first = not seen.exists()\n    seen.touch()\n    assert not first\n"
KILLED = """
def test_before(): pass
def test_killed():
    if not seen.exists():
        seen.touch()
        os.kill(os.getpid(), signal.SIGKILL)
def test_after(): pass
"""
DIES = AT_FIRST + KILLED
ALWAYS_DIES = "import os\ndef test_before(): pass\ndef test_dies(): os._exit(0)\ndef test_after(): pass\ndef test_last(): pass\n"
HANGS = "import pytest\n@pytest.mark.timeout(1)\ndef test_hangs():\n    while True: pass\ndef test_after(): pass\ndef test_last(): pass\n"
DIES_AT_THE_END = "import os, pytest\n@pytest.fixture(scope='session')\ndef thing():\n    yield\n    os._exit(0)\ndef test_uses(thing): pass\n"
ASKS_TO_STOP = "import pytest\ndef test_before(): pass\ndef test_stops(): pytest.exit('enough', returncode=0)\ndef test_after(): pass\n"
WAITS = (
    "import pathlib, time\ndef test_waits():\n    pathlib.Path(__file__).with_suffix('.seen').touch()\n    time.sleep(60)\ndef test_after(): pass\n"
)


def begin(folder: Path, *arguments: str, **files: str) -> subprocess.Popen[str]:
    for name, text in files.items():
        (folder / f"test_{name}.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "tests", "--tier", "test", "-c", str(ROOT / "pyproject.toml"), "-vv", *arguments, str(folder)]
    return subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def suite(folder: Path, *arguments: str, **files: str) -> tuple[int, str]:
    """The exit status and what was said."""
    program = begin(folder, *arguments, **files)
    said, _ = program.communicate(timeout=300)
    return program.returncode, said


def counts(said: str) -> dict[str, int]:
    """What pytest counts in its closing line."""
    line = re.findall(r"^=+ (.* in [\d.]+s.*?) =+$", said, re.MULTILINE)[-1]
    return {what: int(number) for number, what in re.findall(r"(\d+) (\w+)", line.partition(" in ")[0])}


@pytest.mark.slow
def test_what_fails_at_first_runs_again_and_is_named(tmp_path: Path) -> None:
    status, said = suite(tmp_path, "-n", "2", passes=PASSES, late=LATE)
    assert status == 0, said
    assert counts(said) == {"passed": 2, "rerun": 1}
    assert re.findall(r"^(?:RERUN|PASSED) \S+::(\w+)$", said, re.MULTILINE) == ["test_late", "test_late"]


@pytest.mark.slow
def test_a_cell_that_fails_does_not_run_again_without_the_cells_before_it(tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in ("x = 1", "assert x == 2", "assert x == 1")])
    (tmp_path / "solutions").mkdir()
    nbformat.write(notebook, tmp_path / "solutions" / "lesson.ipynb")
    status, said = suite(tmp_path, "--rootdir", str(tmp_path))
    assert status == 1 and counts(said) == {"failed": 1, "passed": 2}, said


@pytest.mark.parametrize("workers", ["1", pytest.param("3", marks=pytest.mark.slow)])
def test_a_failing_test_behind_a_killed_worker_is_seen(workers: str, tmp_path: Path) -> None:
    """The suite of the issue that began this: green with a runner that neither replaces a worker nor counts."""
    status, said = suite(tmp_path, "-n", workers, dies=DIES, fails=FAILS, second=FAILS, third=FAILS)
    assert status == 1, said
    assert counts(said) == {"failed": 3, "passed": 3, "rerun": 4}
    assert "replacing crashed worker" in said and re.search(r"^RERUN \S+::test_killed$", said, re.MULTILINE)


@pytest.mark.slow
def test_a_killed_worker_alone_is_no_failure_and_is_named(tmp_path: Path) -> None:
    status, said = suite(tmp_path, "-n", "1", dies=DIES, passes=PASSES)
    assert status == 0, said
    assert counts(said) == {"passed": 4, "rerun": 1}
    assert re.findall(r"^(?:RERUN|PASSED) \S+::(\w+)$", said, re.MULTILINE) == ["test_killed", "test_killed"]


@pytest.mark.slow
@pytest.mark.parametrize("text", [ALWAYS_DIES, pytest.param(HANGS, marks=pytest.mark.slow)], ids=["dies", "hangs"])
def test_what_ends_its_worker_twice_has_failed_and_the_rest_has_run(text: str, tmp_path: Path) -> None:
    status, said = suite(tmp_path, "-n", "1", bad=text, passes=PASSES)
    assert status == 1, said
    assert counts(said) == {"failed": 1, "passed": text.count("def ") - 1 + 1, "rerun": 1}


@pytest.mark.slow
def test_a_worker_that_dies_when_its_last_test_is_over_takes_it_along(tmp_path: Path) -> None:
    status, said = suite(tmp_path, "-n", "1", end=DIES_AT_THE_END)
    assert status == 1, said
    assert "crashed while running" in said


@pytest.mark.slow
def test_workers_that_cannot_be_replaced_end_the_run_and_what_did_not_run_is_named(tmp_path: Path) -> None:
    status, said = suite(tmp_path, "-n", "1", "--max-worker-restart", "0", bad=ALWAYS_DIES, passes=PASSES)
    assert status == 1, said
    assert "3 of 5 collected tests have no outcome" in said or "4 of 5 collected tests have no outcome" in said


def test_one_process_that_ends_itself_is_no_success(tmp_path: Path) -> None:
    status, said = suite(tmp_path, "-n", "0", bad=ALWAYS_DIES)
    assert status == 1, said
    assert "nobody knows which tests ran" in said


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "1", "2"])
def test_a_test_that_stops_the_run_is_no_success(workers: str, tmp_path: Path) -> None:
    status, said = suite(tmp_path, "-n", workers, bad=ASKS_TO_STOP, passes=PASSES)
    assert status != 0, said
    assert workers != "0" or "of 4 collected tests have no outcome" in said


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "1", "2"])
@pytest.mark.parametrize(
    "text", ["import nothing_of_this_name", "import os; os._exit(0)", "import sys; sys.exit(0)", "import pytest; pytest.exit('', 0)"]
)
def test_a_file_that_cannot_be_collected_is_no_success(text: str, workers: str, tmp_path: Path) -> None:
    status, said = suite(tmp_path, "-n", workers, bad=text, passes=PASSES)
    assert status != 0, said


@pytest.mark.slow
def test_much_that_fails_does_not_run_again(tmp_path: Path) -> None:
    status, said = suite(tmp_path, "-n", "2", many="".join(FAILS.replace("fails", f"fails_{number}") for number in range(9)))
    assert status == 1, said
    assert counts(said) == {"failed": 9, "rerun": 5}


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_interrupted_run_is_no_success(number: signal.Signals, tmp_path: Path) -> None:
    program = begin(tmp_path, "-n", "1", waits=WAITS)
    deadline = time.monotonic() + 60
    while not (tmp_path / "test_waits.seen").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    if number == signal.SIGINT:  # which a terminal sends to all of them
        psutil.Process(program.pid).children()[0].send_signal(number)
    program.send_signal(number)
    said, _ = program.communicate(timeout=60)
    assert program.returncode != 0, said


def test_what_tests_leave_is_ended_named_and_removed(tmp_path: Path) -> None:
    """Files in HOME and in the folder for temporary files, and a process that was set apart from all others."""
    places = tmp_path / "places.txt"
    leaves = f"""
import os, pathlib, subprocess, tempfile
def test_leaves():
    sleeping = subprocess.Popen(["sh", "-c", "setsid sleep 77.5 & echo $!"], stdout=subprocess.PIPE, text=True)
    folder, home = tempfile.mkdtemp(), pathlib.Path.home() / "left"
    home.touch()
    pathlib.Path({str(places)!r}).write_text("\\n".join([folder, str(home), sleeping.stdout.readline()]))
"""
    status, said = suite(tmp_path, "-n", "0", "--basetemp", str(tmp_path / "own"), leaves=leaves)
    folder, home, sleeping = places.read_text(encoding="utf-8").split("\n")[:3]
    assert status == 1 and counts(said) == {"passed": 1}, said
    assert re.search(rf"1 processes that it started were still there and are ended now: {sleeping} sleep 77.5", said)
    assert not psutil.pid_exists(int(sleeping))
    assert not Path(folder).exists() and not Path(home).exists()
    assert Path(home).parent != Path.home() and not Path(home).is_relative_to(Path.home())


def test_another_account_is_a_failure(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "test_passes.py").write_text(PASSES, encoding="utf-8")
    seen = iter([{"root"}, {"root", "made-up"}])
    monkeypatch.delenv(runner.OUTER, raising=False)
    monkeypatch.setattr(runner, "accounts", lambda: next(seen))
    monkeypatch.setattr(runner, "adopt_orphans", lambda: None)
    monkeypatch.setattr(runner, "end_what_is_left", list)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    assert runner.main(["-c", str(ROOT / "pyproject.toml"), "-n", "0", str(tmp_path)]) == 1
    assert "accounts of this machine changed: made-up" in capfd.readouterr().err


def test_the_machine_has_the_accounts_that_it_says() -> None:
    assert "root" in runner.accounts() or os.name != "posix"
