"""What `make check` asks of the code beyond formatter, linter and types: few exceptions, which are counted here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SILENCED = re.compile(r"#\s*(noqa|type:\s*ignore|fmt:|mypy:|ruff:)")
MOST_SILENCED = 12
LONGEST = 800  # lines of a file of ours, as the formatter lays them out: fewer whole files are easier to follow than many parts
FOLDERS = ("attnlab", "authoring", "benchmarks", "demonstration", "deploy", "nbjudge", "setup", "specimens", "tests")
AS_THEIR_AUTHORS_LEFT_THEM = ("answers", "cheats", "faults")


def ours() -> list[Path]:
    return [
        path
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not set(AS_THEIR_AUTHORS_LEFT_THEM) & set(path.relative_to(ROOT).parts)
    ]


pytestmark = pytest.mark.check


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


def test_the_course_imports_what_the_grader_says_is_public() -> None:
    private = re.compile(r"nbjudge\._")
    files = [path for path in [*ours(), ROOT / "nbgrader_config.py"] if "nbjudge" not in path.relative_to(ROOT).parts and path != Path(__file__)]
    assert len(files) > 200 and not [path for path in files if private.search(path.read_text())]


def test_nothing_that_people_run_imports_tests() -> None:
    imports = re.compile(r"^\s*(from|import) tests\b", re.MULTILINE)
    assert not [path for path in ours() if path.relative_to(ROOT).parts[0] != "tests" and imports.search(path.read_text())]
