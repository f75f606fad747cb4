"""Workers, nannies, the scheduler and the command itself are killed at random: every submission has one outcome, and its points."""

from __future__ import annotations

import random
import time

import pytest

from nbjudge.testing import killer, small_course
from nbjudge.testing.machines import machines

pytestmark = pytest.mark.cluster

STUDENTS = 40


def test_a_class_is_graded_whatever_is_killed(tmp_path):
    root = killer.make_class(tmp_path / "disturbed", STUDENTS)
    undisturbed = small_course.make(tmp_path / "undisturbed")
    small_course.run(undisturbed, "nbjudge", "grade")
    by_answer = killer.points(undisturbed)
    with machines(tmp_path / "dask", 2, nannies=True) as cluster:
        killed = killer.grade_disturbed(root, cluster, random.Random(17), pause=4, commands=2, most=10, seconds=15)
    assert killed["command"] == 2 and sum(killed.values()) >= 3, killed
    names = list(small_course.ANSWERS)
    assert killer.points(root) == {f"s{number:04d}": by_answer[names[number % len(names)]] for number in range(STUDENTS)}, killed
    assert len(list(root.glob("autograded/*/*/.graded.json"))) == len(list(root.glob("feedback/*/*/*.html"))) == STUDENTS
    assert f"{STUDENTS} in submitted/" in small_course.run(root, "nbjudge", "grade").stdout
    assert f"0 graded, {STUDENTS} graded before, 0 not graded" in small_course.run(root, "nbjudge", "grade").stdout


def test_what_waited_while_there_was_no_worker_goes_to_the_next_one(tmp_path):
    root = killer.make_class(tmp_path / "course", 12)
    with machines(tmp_path / "dask", 1) as cluster:
        command = killer.begin(root, cluster.address)
        try:
            while killer.graded(root) < 2:
                assert command.poll() is None, (root / "said.txt").read_text()
                time.sleep(0.05)
            cluster.workers[0].kill()
            cluster.workers[0].wait()
            cluster.start_worker()
            assert command.wait(120) == 0
        finally:
            command.kill()
            command.wait()
    assert len(killer.points(root)) == 12
