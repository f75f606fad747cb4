"""The doctor's attempts fail in the sandbox, and get through where parts of it are missing: what cannot succeed proves nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import nbjudge
from helpers.layers import GROUPS, LAYERS, SUPERVISOR, Layer, take_away
from nbjudge._sandbox import doctor
from nbjudge._wire.limits import Limits

TIGHT = Limits(memory_mb=300, scratch_mb=32, file_mb=8, processes=40, open_files=100, cpu_seconds=500)
REPORT = f"""
from nbjudge._sandbox.doctor import examine
from nbjudge._wire.limits import Limits
for f in examine(limits={TIGHT!r}, sandboxed=SANDBOXED):
    print(int(f.holds), f.layer, f.what, f.detail, sep='\\t')
"""
# These are held by something else, too: by Linux, by another layer, or because this Linux was built without what they try.
TWICE = {
    "load a module or another Linux",
    "make calls with 32-bit addresses (x32)",
    "change a file that may only be read, by what Linux once got wrong (Dirty COW, Dirty Pipe)",
}
# A memory group that holds the machine, and not the attempts.
WIDER_GROUP = (
    (GROUPS, "self._limit(folder, limit_mb * MB)", "self._limit(folder, 8 * limit_mb * MB)"),
    (SUPERVISOR, "reason = self._by_group() or ended", "reason = ended"),
)
DOCTOR = f"""
import sys
from nbjudge._sandbox import doctor
from nbjudge._wire.limits import Limits
sys.exit(doctor.main(limits={TIGHT!r}))
"""


def run(code: str, course: Path) -> subprocess.CompletedProcess[str]:
    """Run `code` with the grader that lies in `course`."""
    environment = {**os.environ, "PYTHONPATH": str(course), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, "-c", code], cwd=course, env=environment, text=True, capture_output=True, check=False, timeout=500)


def report(course: Path, sandboxed: bool) -> dict[str, bool]:
    """Whether each attempt was held, as the grader in `course` sees it."""
    done = run(REPORT.replace("SANDBOXED", str(sandboxed)), course)
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert lines, done.stderr
    assert not [line for line in lines if "the attempt itself failed" in line]
    return {what: held == "1" for held, _, what, *_ in lines}


def copy_of_the_grader(folder: Path) -> Path:
    """A course with a copy of the grader, to edit."""
    (folder / "gradebook.db").touch()
    shutil.copytree(Path(nbjudge.__file__).parent, folder / "nbjudge", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def open_here(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The attempts that get through when many layers are away at once, or without a sandbox."""
    found = set()
    for more in ((), WIDER_GROUP):
        course = copy_of_the_grader(tmp_path_factory.mktemp("course"))
        take_away(course / "nbjudge", *(edit for layer in LAYERS if not layer.alone for edit in layer.edits), *more)
        found |= {what for sandboxed in (True, False) for what, held in report(course, sandboxed).items() if not held}
    return found


def test_every_attempt_to_escape_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.main() == 0, capsys.readouterr().out
    assert len(doctor.ATTEMPTS) + len(doctor.PAIRS) >= 100
    assert "attempts to escape failed. 3 more got through as nbjudge/docs/promises.md says they do" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("what", [attempt.what for attempt in (*doctor.ATTEMPTS, *doctor.PAIRS) if attempt.what not in TWICE])
def test_an_attempt_can_get_through(what: str, open_here: set[str]) -> None:
    assert what in open_here


@pytest.mark.slow
@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_without_a_layer_the_doctor_is_red(layer: Layer, tmp_path: Path) -> None:
    if layer.root and os.geteuid() != 0:
        pytest.skip("only root has this layer")
    course = copy_of_the_grader(tmp_path)
    take_away(course / "nbjudge", *layer.edits)
    done = run(DOCTOR, course)
    assert done.returncode == 1, done.stdout + done.stderr
    red = [line for line in done.stdout.splitlines() if line.startswith("✗")]
    assert [what for what in layer.attempts if not any(what in line for line in red)] == [], (red, done.stderr)


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_a_layer_is_still_where_it_is_taken_away(layer: Layer, tmp_path: Path) -> None:
    take_away(copy_of_the_grader(tmp_path) / "nbjudge", *layer.edits)
    assert layer.attempts


def test_no_two_attempts_have_one_name() -> None:
    names = [attempt.what for attempt in (*doctor.ATTEMPTS, *doctor.PAIRS)]
    assert len(names) == len(set(names))


@pytest.mark.slow
def test_limits_are_those_of_the_course() -> None:
    assert [finding.what for finding in doctor.examine(limits=TIGHT) if finding.is_hole] == []
