"""Each file in cheats/ tries to get points for what it did not compute. None may get any."""

import os

import nbgrader.utils
import pytest

from hostile import CHEATS, SETUP_CHEATS, TESTS, cheat_source, cheat_submission, set_up
from hostile.friend import friend
from nbjudge._analysis.instructor import Instructor
from nbjudge._execution.execute import execute, grade_id, is_test

TRACES = ("/tmp/cheat-pickle-ran", "/tmp/cheat-own-test-ran")


@pytest.fixture(scope="module", autouse=True)
def friend_outside():
    with friend():
        yield


def test_there_are_many_cheats():
    assert len(CHEATS) >= 30


def test_honest_work_gets_everything(warm, limits):
    source = cheat_source()
    result = execute(cheat_source(), source, warm, limits)
    assert [verdict.points for verdict in result.verdicts] == [2] * len(TESTS), result.verdicts


@pytest.mark.parametrize("path", CHEATS, ids=lambda path: path.stem)
def test_cheat_earns_nothing(path, warm, limits, clean_box):
    source = cheat_source()
    result = execute(cheat_submission(path), source, warm, limits)
    assert [verdict.grade_id for verdict in result.verdicts] == list(TESTS)
    assert {v.grade_id: v.points for v in result.verdicts if v.points} == {}
    assert all(verdict.message for verdict in result.verdicts)
    for cell in result.notebook.cells:
        if is_test(cell) and grade_id(cell) in TESTS:
            assert nbgrader.utils.determine_grade(cell)[0] == 0
    assert not any(os.path.exists(trace) for trace in TRACES)


@pytest.mark.parametrize("path", SETUP_CHEATS, ids=lambda path: path.stem)
def test_a_checker_of_a_given_cell_is_never_the_students(path, warm, limits):
    source, submission = set_up(path)
    [honest] = execute(source, Instructor(source), warm, limits).verdicts
    assert (honest.kind, honest.points) == ("passed", 2)
    result = execute(submission, Instructor(source), warm, limits)
    [verdict] = result.verdicts
    assert verdict.kind in ("failed", "ended") and verdict.points == 0, verdict
    assert not any(os.path.exists(trace) for trace in TRACES)
    assert "hidden_expected" not in verdict.printed and "hidden_expected" not in str([c.get("outputs") for c in result.notebook.cells])
