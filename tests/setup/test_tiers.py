"""A test outside of a tier cannot exist: markers are known and complete, and no file of tests lies where nothing collects it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tiers import LONG, MARKERS, WHOLE_SUITE

ROOT = Path(__file__).resolve().parents[2]
MATERIAL = {"small_project", "cheats", "faults", "training_cheats", "answers"}  # what tests are about
SUITE = """
import pytest
@pytest.fixture
def browser(): return 1
@pytest.mark.check
def test_text(): pass
def test_plain(): pass
@pytest.mark.browser
def test_day(browser): pass
def test_unmarked(browser): pass
@pytest.mark.check
@pytest.mark.slow
def test_of_two_tiers(): pass
""" + "".join(f"@pytest.mark.{name}\ndef test_{name}(): pass\n" for name in WHOLE_SUITE)
OF_TIER = {"check": {"text"}, "test": {"text", "plain", "day", "unmarked"}}
OF_TIER["all"] = OF_TIER["test"] | {"of_two_tiers", *WHOLE_SUITE}


def run(folder: Path, *arguments: str) -> str:
    (folder / "test_suite.py").write_text(SUITE, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "-n", "0", "--reruns", "0", "-p", "no:cacheprovider", "-vv"]
    return subprocess.run([*command, *arguments, str(folder)], cwd=ROOT, text=True, capture_output=True, check=False).stdout


@pytest.mark.slow
@pytest.mark.parametrize("tier", OF_TIER)
def test_each_tier_holds_the_smaller_ones(tier: str, tmp_path: Path) -> None:
    said = run(tmp_path, "--tier", tier)
    ran = {name for name in OF_TIER["all"] if f"::test_{name} " in said}
    assert ran == OF_TIER[tier], said


def test_a_test_that_does_not_say_what_it_needs_fails(tmp_path: Path) -> None:
    said = run(tmp_path)
    assert re.search(r"^ERROR \S+::test_unmarked - .*: it asks for browser and is not marked `browser`", said, re.MULTILINE), said
    assert re.search(r"^ERROR \S+::test_of_two_tiers - .*: it is marked `check`, and for `make test-all` alone", said, re.MULTILINE), said
    assert "2 errors" in said.splitlines()[-1]


@pytest.mark.check
def test_every_file_of_tests_lies_where_it_is_collected() -> None:
    command = ["git", "grep", "-lE", r"^(async )?def test_.*(-> None:|\(\):|[^:]$)", "--", "*.py"]
    files = [Path(line) for line in subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=True).stdout.splitlines()]
    ours = [path for path in files if not set(path.parts) & MATERIAL]
    assert len(ours) > 100
    assert [path for path in ours if path.parts[0] != "tests" and path.parts[:2] != ("nbjudge", "tests")] == [], "pytest is told of other folders"
    assert [path for path in ours if not path.name.startswith("test_")] == [], "pytest is told of test_*.py"


@pytest.mark.check
def test_what_begins_first_is_there() -> None:
    folders = [ROOT / "tests", ROOT / "nbjudge" / "tests", ROOT / "solutions"]
    assert [name for name in LONG if not any(list(folder.rglob(name)) for folder in folders)] == []


@pytest.mark.check
def test_the_readme_names_every_marker() -> None:
    text = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    assert [name for name in MARKERS if f"`{name}`" not in text] == []
