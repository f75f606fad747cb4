"""A course folder whose disk gets full: what is recorded stays, each entry says why, and the next run goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.courses import ENVIRONMENT
from helpers.full_disk import IMPOSSIBLE, STUDENTS
from nbjudge._report.terminal import FEW

pytestmark = pytest.mark.slow

EVERYONE = {f"s{number}" for number in range(STUDENTS)}

TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    """What each run said and left: the first of one student, then of the class with too little room, then with enough."""
    command = [sys.executable, "-m", "helpers.full_disk", str(tmp_path_factory.mktemp("disk"))]
    done = subprocess.run(command, cwd=TESTS, env=ENVIRONMENT, text=True, capture_output=True, timeout=300, check=False)
    if done.returncode == IMPOSSIBLE:
        pytest.skip(f"no small disk can be mounted here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_run_ends_by_itself_and_says_that_something_is_missing(runs: dict[str, dict]) -> None:
    assert runs["one"]["status"] == 0, runs["one"]["said"]
    assert runs["full"]["status"] == 1, runs["full"]["said"]
    assert "Traceback" not in runs["full"]["said"]


def test_every_entry_has_an_outcome_and_the_reason_names_the_next_step(runs: dict[str, dict]) -> None:
    said, graded = runs["full"]["said"], set(runs["full"]["receipts"])
    assert {"s0"} < graded < EVERYONE
    for student in EVERYONE:
        status = "graded before" if student == "s0" else "graded" if student in graded else "not graded"
        assert [line.rsplit("  ", 1)[0].strip() for line in said.splitlines() if line.endswith(f"  submitted/{student}/first/work.ipynb")] == [status]
    lines, left = said.splitlines(), sorted(EVERYONE - graded)
    [told] = [number for number, line in enumerate(lines) if line.endswith(": the disk is full.")]
    assert sum(f"submitted/{student}/first/work.ipynb" in lines[told] for student in left) == min(len(left), FEW)
    assert len(left) <= FEW or f"({len(left)} in all)" in lines[told]
    assert lines[told + 1].strip() == "Next: make room, then run the same command again."


def test_the_gradebook_stays_sound_and_keeps_what_it_had(runs: dict[str, dict]) -> None:
    assert [run["gradebook"] for run in runs.values()] == ["ok"] * 3
    full = runs["full"]
    assert all(full["scores"][student] == 2 for student in full["receipts"])


def test_with_room_again_the_next_run_grades_the_rest_only(runs: dict[str, dict]) -> None:
    kept, again = runs["full"]["receipts"], runs["again"]
    assert again["status"] == 0, again["said"]
    assert f"{STUDENTS - len(kept)} graded, {len(kept)} graded before, 0 not graded" in again["said"]
    assert again["scores"] == dict.fromkeys(EVERYONE, 2)
    assert {student: again["receipts"][student] for student in kept} == kept


def test_no_results_are_kept_where_the_disk_is_needed(runs: dict[str, dict]) -> None:
    assert [run["results"] for run in runs.values()] == [0] * 3
