"""The doctor's attempts fail in the sandbox, and get through where parts of it are missing: what cannot succeed proves nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import nbjudge
from nbjudge._sandbox import doctor
from nbjudge._wire.limits import Limits

TIGHT = Limits(memory_mb=300, scratch_mb=32, file_mb=8, processes=40, open_files=100, cpu_seconds=500)
REPORT = f"""
from nbjudge._sandbox.doctor import examine
from nbjudge._wire.limits import Limits
for f in examine(limits={TIGHT!r}, sandboxed=SANDBOXED):
    print(int(f.holds), f.layer, f.what, f.detail, sep='\\t')
"""
# What each edit of the code takes away.
EDITS = {
    "no filter of system calls": ("_student/system_calls.py", "for program in self.programs:", "for program in ():"),
    "programs run from scratch": ("_student/namespaces.py", "MS_REMOUNT = 1, 2, 4, 8, 32", "MS_REMOUNT = 1, 2, 4, 0, 32"),
    "open files of the warm process": ("_student/namespaces.py", "        if number in keep or number == null:", "        if True:"),
    "terminals of all kernels": ("_student/namespaces.py", '    mount("devpts", ', '    None and mount("devpts", '),
    "times of devices": ("_student/namespaces.py", "    for name in DEVICES:", "    for name in ():"),
    "one network for all": ("_student/namespaces.py", "CLONE_NEWIPC | CLONE_NEWNET)", "0)"),
    "a loopback that is up": ("_student/namespaces.py", "        fcntl.ioctl(", "        None and fcntl.ioctl("),
    "a writable box": ("_student/namespaces.py", "MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC", "MS_BIND | MS_NOSUID | MS_NODEV"),
    "one /proc for all": ("_student/namespaces.py", '        mount("proc", ', '        None and mount("proc", '),
    "no limits of a process": ("_student/namespaces.py", "    for what, amount in caps.items():", "    for what, amount in ():"),
    "no limits of all together": ("_student/supervisor.py", "_ended(self._kernel) or self._too_much()", "_ended(self._kernel)"),
    "the socket that kernels are asked for on": ("_student/fork_server.py", "        control.close()\n", ""),
    "memory of the warm process": (
        "_student/fork_server.py",
        "    gc.freeze()",
        "    import mmap; main.memory = mmap.mmap(-1, 4096)\n    gc.freeze()",
    ),
    "all capabilities": ("_student/namespaces.py", '    _call("capset", ', '    None and _call("capset", '),
}
# These are held by something else, too: by Linux, by another layer, or because this Linux was built without what they try.
TWICE = {"load a module or another Linux", "make calls with 32-bit addresses (x32)"}


def report(course: Path, sandboxed: bool) -> dict[str, bool]:
    """Whether each attempt was held, as the grader in `course` sees it."""
    environment = {**os.environ, "PYTHONPATH": str(course), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", REPORT.replace("SANDBOXED", str(sandboxed))],
        cwd=course,
        env=environment,
        text=True,
        capture_output=True,
        check=False,
        timeout=400,
    )
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert lines, done.stderr
    assert not [line for line in lines if "the attempt itself failed" in line]
    return {what: held == "1" for held, _, what, *_ in lines}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the grader, to edit."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "gradebook.db").touch()
    shutil.copytree(Path(nbjudge.__file__).parent, folder / "nbjudge", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def open_here(course: Path) -> set[str]:
    """The attempts that get through when every edit is made, or without a sandbox."""
    for name, old, new in EDITS.values():
        path = course / "nbjudge" / name
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))
    return {what for sandboxed in (True, False) for what, held in report(course, sandboxed).items() if not held}


def test_every_attempt_to_escape_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.main() == 0, capsys.readouterr().out
    assert len(doctor.ATTEMPTS) + len(doctor.PAIRS) >= 100
    assert "attempts to escape failed. 3 more got through as nbjudge/docs/promises.md says they do" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("what", [attempt.what for attempt in (*doctor.ATTEMPTS, *doctor.PAIRS) if attempt.what not in TWICE])
def test_an_attempt_can_get_through(what: str, open_here: set[str]) -> None:
    assert what in open_here


def test_no_two_attempts_have_one_name() -> None:
    names = [attempt.what for attempt in (*doctor.ATTEMPTS, *doctor.PAIRS)]
    assert len(names) == len(set(names))


@pytest.mark.slow
def test_limits_are_those_of_the_course() -> None:
    assert [finding.what for finding in doctor.examine(limits=TIGHT) if finding.is_hole] == []
