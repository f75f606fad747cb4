"""A grading run that is stopped or killed: what is recorded stays, and the next run goes on."""

from __future__ import annotations

import io
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from helpers.courses import (
    STUDENTS,
    assert_gone,
    begin,
    finish,
    make_course,
    receipts,
    recorded,
    wait_for_outcomes,
)
from nbjudge._commands import cli
from nbjudge._course.course import Course
from nbjudge._course.outcomes import Outcome, Status
from nbjudge.testing.processes import descendants


@pytest.mark.parametrize("blow", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.slow)], ids=["ctrl_c", "kill"])
def test_a_stopped_run_keeps_what_it_recorded_and_the_next_goes_on(tmp_path: Path, blow: signal.Signals) -> None:
    root = make_course(tmp_path)
    run = begin(root)
    wait_for_outcomes(run, 2)
    family = descendants(run.pid)
    if blow is signal.SIGINT:
        os.killpg(run.pid, blow)  # as a terminal does: to everything that the command started
    else:
        run.send_signal(blow)
    said, _ = run.communicate(timeout=60)
    before, kept = receipts(root), recorded(root)
    assert 2 <= len(before) < STUDENTS, said
    assert all(kept[student] == 2 for student in before)
    if blow is signal.SIGINT:
        assert run.returncode == 130, said
        assert "outcomes are recorded; the same command goes on from here" in said
    assert_gone(family)
    assert f"{STUDENTS - len(before)} graded, {len(before)} graded before, 0 not graded" in finish(root)
    assert recorded(root) == {f"s{number}": 2 for number in range(STUDENTS)}
    assert {student: receipts(root)[student] for student in before} == before


def test_ctrl_c_counts_also_where_python_would_drop_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Dropped:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)  # where Python would print what is raised, and go on

    def outcomes(*_: object, **__: object) -> Iterator[Outcome]:
        for number in range(3):
            Dropped()
            yield Outcome(f"submitted/s{number}", Status.GRADED)

    monkeypatch.setattr(cli, "grade_class", outcomes)
    console = Console(file=io.StringIO())
    assert cli.grade(Course(make_course(tmp_path, students=1)), console) == cli.INTERRUPTED
    assert "1 outcome is recorded" in console.file.getvalue()
