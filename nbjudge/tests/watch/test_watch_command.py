"""`nbjudge watch`: what is handed in is graded within seconds, once for each version, in a fair order and not too often."""

from __future__ import annotations

import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from helpers.courses import assert_gone
from helpers.watched import QUICK, RIGHT, WRONG, Watching, hand_in, make, receipt, scores
from nbjudge._course.grading import RESULTS
from nbjudge.testing import small_course
from nbjudge.testing.processes import descendants
from nbjudge.testing.small_course import ASSIGNMENT, run

pytestmark = pytest.mark.slow

BEGUN = "^watching submitted/"


def test_what_is_handed_in_is_graded_and_a_second_version_again_and_what_did_not_change_is_not(tmp_path: Path) -> None:
    root = make(tmp_path / "course", "ada")
    with Watching(root) as watch:
        assert "0 hand-ins are graded, 1 to look at" in watch.wait_for(BEGUN)
        assert "ada  week1  4 of 4, 1 to grade by hand, " in watch.wait_for_graded("ada")["ada"]
        path = hand_in(root, "bob", WRONG)
        assert "bob  week1  1 of 4" in watch.wait_for_graded("bob")["bob"]
        assert (root / "feedback" / "bob" / ASSIGNMENT / "sums.html").is_file()
        before = {student: receipt(root, student).stat().st_mtime_ns for student in ("ada", "bob")}
        os.utime(path)
        shutil.copy(root / "submitted" / "ada" / ASSIGNMENT / "sums.ipynb", tmp_path / "same")
        os.replace(tmp_path / "same", root / "submitted" / "ada" / ASSIGNMENT / "sums.ipynb")
        hand_in(root, "cem", WRONG)
        watch.wait_for_graded("cem")
        hand_in(root, "bob", RIGHT)
        assert "bob  week1  4 of 4" in watch.wait_for_graded("bob")["bob"]
        assert receipt(root, "ada").stat().st_mtime_ns == before["ada"]
        (root / "submitted" / "bob" / ASSIGNMENT / "table.csv").write_text("1,2", encoding="utf-8")  # another file is another version, too
        watch.wait_for_graded("bob")
        assert watch.stop() == 130
        assert watch.said[-1].startswith("Stopped. 5 hand-ins were graded.")
    with Watching(make(tmp_path / "one", "ada")) as watch:
        watch.wait_for_graded("ada")
        watch.stop()
        assert watch.said[-1].startswith("Stopped. 1 hand-in was graded.")
    with Watching(tmp_path / "one") as watch:
        assert ": 1 hand-in is graded, 0 to look at" in watch.wait_for(BEGUN)
        watch.stop()
    assert scores(root) == {"ada": 4, "bob": 4, "cem": 1}


def test_the_solution_is_executed_while_nothing_is_handed_in(tmp_path: Path) -> None:
    root = make(tmp_path / "course")
    with Watching(root) as watch:
        watch.wait_for(BEGUN)
        until = time.monotonic() + 30
        while not list((root / RESULTS).glob("*/*")) and time.monotonic() < until:
            time.sleep(0.1)
        assert list((root / RESULTS).glob("*/*"))
        hand_in(root, "ada", RIGHT)
        assert "ada  week1  4 of 4" in watch.wait_for_graded("ada")["ada"]
        watch.stop()


def test_a_file_in_pieces_is_waited_for_and_what_stays_broken_is_told_once(tmp_path: Path) -> None:
    root = make(tmp_path / "course")
    whole = hand_in(root, "slow")
    content = whole.read_bytes()
    shutil.rmtree(root / "submitted")
    with Watching(root) as watch:
        watch.wait_for(BEGUN)
        (root / "submitted" / "slow" / ASSIGNMENT).mkdir(parents=True)
        (root / "submitted" / "empty").mkdir()
        broken = root / "submitted" / "broken\x1b[2J" / ASSIGNMENT / "sums.ipynb"
        broken.parent.mkdir(parents=True)
        time.sleep(0.7)
        with whole.open("wb") as file:  # one who writes in its place, slower than it takes to be quiet
            for piece in range(3):
                time.sleep(0.7)
                file.write(content[piece * len(content) // 3 : (piece + 1) * len(content) // 3])
                file.flush()
        (whole.parent / "timestamp.txt").write_text("2026-01-31 12:00:00 UTC", encoding="utf-8")
        broken.write_bytes(content[:300])
        hand_in(root, "gone")
        shutil.rmtree(root / "submitted" / "gone")
        lines = [watch.wait_for("slow  week1  4 of 4|not graded") for _ in range(3)]
        said = "\n".join(lines)
        assert "slow  week1  4 of 4" in said
        assert "submitted/empty: not graded: the student's folder is empty. Next: put the assignment's folder into it." in said
        assert "not graded: the folder's name has one of the characters" in said  # of the hostile one, and nothing of it is done to the terminal
        assert "\x1b" not in said
        cut = root / "submitted" / "cut" / ASSIGNMENT / "sums.ipynb"
        cut.parent.mkdir(parents=True)
        cut.write_bytes(content[:300])
        assert "submitted/cut/week1/sums.ipynb: not graded: it is not JSON" in watch.wait_for("not graded")
        time.sleep(2)
        cut.write_bytes(content)
        watch.wait_for_graded("cut")
        watch.stop(signal.SIGTERM)
        assert sum("not JSON" in line for line in watch.said) == 1
    assert scores(root) == {"slow": 4, "cut": 4}


def test_a_student_who_hands_in_all_the_time_waits_for_the_limit_and_the_latest_version_counts_then(tmp_path: Path) -> None:
    root = make(tmp_path / "course", "busy", settings="c.Watch.limit, c.Watch.limit_seconds = 2, 25\n")
    with Watching(root) as watch:
        watch.wait_for_graded("busy")
        hand_in(root, "busy", WRONG)
        watch.wait_for_graded("busy")
        hand_in(root, "busy", RIGHT)
        assert "graded 2 times within 0.416667 min. The latest version counts then." in watch.wait_for("busy  week1  waits until ")
        hand_in(root, "busy", WRONG + "\n")
        hand_in(root, "other")
        watch.wait_for_graded("other")
        watch.process.send_signal(signal.SIGKILL)
    with Watching(root) as watch:
        watch.wait_for("busy  week1  waits until ")  # the next one knows of the limit, too
        hand_in(root, "busy", RIGHT + "  # the latest")
        assert "busy  week1  4 of 4" in watch.wait_for_graded("busy")["busy"]
        assert watch.stop() == 130
        assert sum("waits until" in line for line in watch.said) == 1
    assert scores(root) == {"busy": 4, "other": 4}


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGTERM], ids=["kill", "term"])
def test_after_a_blow_the_next_one_goes_on_and_finds_what_came_meanwhile(tmp_path: Path, blow: signal.Signals) -> None:
    students = [f"s{number}" for number in range(6)]
    root = make(tmp_path / "course", *students)
    with Watching(root) as watch:
        watch.wait_for("  4 of 4")
        watch.wait_for("  4 of 4")
        family = descendants(watch.process.pid)
        begun = time.monotonic()
        assert watch.stop(blow) == (130 if blow is signal.SIGTERM else -9)
        assert time.monotonic() - begun < 30
        assert_gone(family)
    before = {student: receipt(root, student).stat().st_mtime_ns for student in students if receipt(root, student).is_file()}
    assert 2 <= len(before) < len(students)
    assert all(scores(root)[student] == 4 for student in before)
    hand_in(root, "later", WRONG)
    with Watching(root) as watch:
        assert f": {len(before)} hand-ins are graded, " in watch.wait_for(BEGUN) or blow is signal.SIGKILL
        watch.wait_for_graded(*(set(students) - set(before)), "later")
        watch.stop()
    assert {student: receipt(root, student).stat().st_mtime_ns for student in before} == before
    assert scores(root) == {**dict.fromkeys(students, 4), "later": 1}


def test_lessons_and_settings_that_change_count_from_then_on_and_nobody_is_graded_again(tmp_path: Path) -> None:
    root = make(tmp_path / "course", "ada")
    with Watching(root) as watch:
        watch.wait_for_graded("ada")
        shutil.copytree(root / "source" / ASSIGNMENT, root / "source" / "week2")
        watch.wait_for("lessons, settings or gradebook have changed")
        before = receipt(root, "ada").stat().st_mtime_ns
        path = hand_in(root, "bob")
        path.parent.rename(path.parent.with_name("week2"))
        assert "bob  week2  4 of 4" in watch.wait_for_graded("bob")["bob"]
        with (root / "nbgrader_config.py").open("a", encoding="utf-8") as file:
            file.write("c.Watch.limit = 'many'\n")
        assert "a setting of c.Watch cannot be" in watch.wait_for("not graded yet")
        config = (root / "nbgrader_config.py").read_text(encoding="utf-8")
        (root / "nbgrader_config.py").write_text(config.replace("'many'", "7"), encoding="utf-8")
        hand_in(root, "cem", WRONG)
        watch.wait_for_graded("cem")
        watch.stop()
    assert receipt(root, "ada").stat().st_mtime_ns == before


def test_a_due_date_that_changes_counts_from_then_on_and_no_lesson_is_said_to_have_changed(tmp_path: Path) -> None:
    root = make(tmp_path / "course", "ada")
    (root / "submitted" / "ada" / ASSIGNMENT / "timestamp.txt").write_text("2026-05-02 12:00:00 UTC", encoding="utf-8")
    with Watching(root) as watch:
        watch.wait_for_graded("ada")
        (root / "dates.csv").write_text(f"assignment,due,late\n{ASSIGNMENT},2026-05-01,1 point a day\n", encoding="utf-8")
        assert "dates.csv has changed, and counts from now on." in watch.wait_for("changed")
        assert "points have changed for 1 hand-in, by class.csv or dates.csv. Next: make feedback" in watch.wait_for("changed")
        watch.stop()


def test_what_cannot_begin_is_refused_in_a_sentence(tmp_path: Path) -> None:
    root = make(tmp_path / "course")
    with Watching(root) as watch:
        watch.wait_for(BEGUN)
        second = run(root, "nbjudge", "watch", check=False)
        assert second.returncode == 1 and len(second.stderr.strip().splitlines()) == 1
        assert f"`nbjudge watch` (process {watch.process.pid} on " in second.stderr and "is at work in this course already" in second.stderr
        watch.stop()
    for options, why in ((["--limit", "0"], "--limit 0 would grade nobody"), (["--course", str(tmp_path)], "there is no nbgrader_config.py")):
        refused = run(root, "nbjudge", "watch", *options, check=False)
        assert refused.returncode == 1 and why in refused.stderr and "Next: " in refused.stderr
        assert len(refused.stderr.strip().splitlines()) == 1


def test_a_test_that_cannot_judge_is_told_with_each_hand_in_and_its_reason_once(tmp_path: Path) -> None:
    root = small_course.make(tmp_path / "course", config=f"{small_course.NBJUDGE}{QUICK}", answers={}, test="assert double(4) == 9, 'nine'")
    reason = "the instructor's own solution does not pass it here either (nine)"
    hand_in(root, "ada")
    with Watching(root) as watch:
        first = watch.wait_for_graded("ada")["ada"]
        assert "ada  week1  1 of 1, 2 to grade by hand, " in first and f"; double_test could not judge and is to be looked at: {reason}" in first
        hand_in(root, "bob", WRONG)
        second = watch.wait_for_graded("bob")["bob"]
        assert "; double_test could not judge and is to be looked at" in second and reason not in second
        watch.stop()
    with Watching(root) as watch:
        assert ": 2 hand-ins are graded, 0 to look at" in watch.wait_for(BEGUN)
        watch.stop()
