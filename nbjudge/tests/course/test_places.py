"""The grader works wherever it, its packages and its temporary files lie, and in bare surroundings."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import nbjudge

pytestmark = pytest.mark.slow

GRADES = """
from nbjudge._execution.execute import execute
from nbjudge._sandbox.starting import WarmKernels
from nbjudge.testing.notebooks import notebook, test_cell
import nbjudge, sys
assert nbjudge.__file__.startswith(sys.argv[1]), nbjudge.__file__
nb = notebook("import helper\\nimport tempfile",
              "def f(x): return helper.double(x) + len(tempfile.mkdtemp()[:0])", test_cell("t", "assert f(2) == 4"))
with WarmKernels(packages=("helper",)) as warm:
    [verdict] = execute(nb, nb, warm).verdicts
print(verdict.points, verdict.message)
"""
LONG = "a folder with a very long name, as some systems and some people make them, " * 2


@pytest.fixture(params=["/tmp", "/dev/shm", "/var/tmp", "~"])
def place(request: pytest.FixtureRequest) -> Iterator[Path]:
    """A folder with a blank and letters that are not ASCII, in different parts of the system."""
    root = os.path.expanduser(request.param)
    if not os.access(root, os.W_OK):
        pytest.skip(f"{root} cannot be written here")
    with tempfile.TemporaryDirectory(prefix="ein Kürs ", dir=root) as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def grade(course: Path, **surroundings: str) -> str:
    """Grade a small notebook with a copy of the grader in `course`; what was printed."""
    shutil.copytree(Path(nbjudge.__file__).parent, course / "nbjudge", ignore=shutil.ignore_patterns("__pycache__"))
    (course / "helper").mkdir()
    (course / "helper" / "__init__.py").write_text("def double(x):\n    return 2 * x\n", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "TMPDIR")}
    done = subprocess.run(
        [sys.executable, "-c", GRADES, str(course)],
        cwd=course,
        text=True,
        capture_output=True,
        check=False,
        timeout=300,
        env={**environment, "PYTHONPATH": str(course), "PYTHONDONTWRITEBYTECODE": "1", **surroundings},
    )
    return done.stdout or done.stderr


def test_a_course_may_lie_anywhere(place: Path) -> None:
    assert grade(place) == "1.0 \n"


@pytest.mark.parametrize("place", ["/tmp", "/var/tmp"], indirect=True)
def test_temporary_files_may_lie_elsewhere(place: Path, tmp_path: Path) -> None:
    (elsewhere := place / "für kurze Zeit").mkdir()
    assert grade(tmp_path, TMPDIR=str(elsewhere)) == "1.0 \n"


def test_the_folder_of_temporary_files_may_have_a_long_name(tmp_path: Path) -> None:
    (long := tmp_path / LONG).mkdir()
    (course := tmp_path / "course").mkdir()
    assert grade(course, TMPDIR=str(long)) == "1.0 \n"


@pytest.mark.parametrize(
    "surroundings",
    [
        {"LANG": "C", "LC_ALL": "C"},
        {"TZ": "Asia/Kathmandu"},
        {"HOME": "/nonexistent"},
        {"PYTHONUTF8": "0", "LC_ALL": "POSIX"},
    ],
    ids=str,
)
def test_bare_surroundings(tmp_path: Path, surroundings: dict[str, str]) -> None:
    assert grade(tmp_path, **surroundings) == "1.0 \n"


def test_files_that_only_their_owner_may_read(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        assert grade(tmp_path) == "1.0 \n"
    finally:
        os.umask(before)
