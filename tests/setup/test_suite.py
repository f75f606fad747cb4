"""The suite runs once more what failed beside other tests: what passes alone is named, what fails alone has failed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = {
    "passes": "def test_passes(): assert True",
    "is_late": "def test_is_late():\n    was_here = {seen!r}\n    import pathlib\n    first = not pathlib.Path(was_here).exists()\n"
    "    pathlib.Path(was_here).touch()\n    assert not first",
    "fails": "def test_fails(): assert False",
}


def suite(folder: Path, *names: str) -> subprocess.CompletedProcess[str]:
    """Run these tests as the suite runs its own."""
    for name in names:
        (folder / f"test_{name}_here.py").write_text(TESTS[name].format(seen=str(folder / "seen")) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "tests", "-c", str(ROOT / "pyproject.toml"), "-n", "2", str(folder)]
    return subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=False)


def test_nothing_runs_twice_when_nothing_fails(tmp_path: Path) -> None:
    done = suite(tmp_path, "passes")
    assert done.returncode == 0 and "Once more" not in done.stdout


def test_what_passes_alone_is_named_and_passes(tmp_path: Path) -> None:
    done = suite(tmp_path, "passes", "is_late")
    assert done.returncode == 0, done.stdout
    assert "Failed beside other tests, and passed alone" in done.stdout.splitlines()[-1] and "test_is_late" in done.stdout.splitlines()[-1]


@pytest.mark.parametrize("others", [(), ("is_late",)])
def test_what_fails_alone_has_failed(others: tuple[str, ...], tmp_path: Path) -> None:
    done = suite(tmp_path, "passes", "fails", *others)
    assert done.returncode == 1, done.stdout
    assert ("passed alone" in done.stdout) == bool(others) and done.stdout.count("1 failed") == 2 - len(others)


def test_much_that_fails_is_not_tried_again(tmp_path: Path) -> None:
    (tmp_path / "test_many_here.py").write_text("\n".join(f"def test_{number}(): assert False" for number in range(6)) + "\n", encoding="utf-8")
    done = suite(tmp_path)
    assert done.returncode == 1 and "Once more" not in done.stdout
