"""The linter finds nothing in the project and the type checker nothing in the examiner, with few exceptions, which are counted here."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SILENCED = re.compile(r"#\s*(noqa|type:\s*ignore|fmt:|mypy:|ruff:)")
MOST_SILENCED = 12
LONGEST = 400  # lines of a file of ours, as the formatter lays them out
FOLDERS = ("attnlab", "authoring", "benchmarks", "demonstration", "deploy", "examiner", "setup", "specimens", "tests")
AS_THEIR_AUTHORS_LEFT_THEM = ("answers", "cheats", "faults")


def ours() -> list[Path]:
    return [
        path
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not set(AS_THEIR_AUTHORS_LEFT_THEM) & set(path.relative_to(ROOT).parts)
    ]


@pytest.mark.parametrize("command", [["ruff", "check", "--no-cache", "."], ["mypy", "--cache-dir", "{tmp}"]], ids=lambda command: command[0])
def test_nothing_is_found(command: list[str], tmp_path: Path) -> None:
    filled = [part.format(tmp=tmp_path) for part in command]
    done = subprocess.run([sys.executable, "-m", *filled], cwd=ROOT, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_hardly_anything_is_silenced() -> None:
    silenced = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in ours()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if SILENCED.search(line) and path != Path(__file__)
    ]
    assert len(silenced) <= MOST_SILENCED, silenced


def test_files_are_short() -> None:
    assert not [path for path in ours() if len(path.read_text().splitlines()) >= LONGEST]


def test_nothing_that_people_run_imports_tests() -> None:
    imports = re.compile(r"^\s*(from|import) tests\b", re.MULTILINE)
    assert not [path for path in ours() if path.relative_to(ROOT).parts[0] != "tests" and imports.search(path.read_text())]
