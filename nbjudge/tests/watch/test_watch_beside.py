"""Beside `nbjudge watch`: a hundred hand-ins at once, `nbjudge grade`, and programs that use the gradebook. No point is lost."""

from __future__ import annotations

import contextlib
import json
import signal
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from helpers.watched import RIGHT, WRONG, Watching, hand_in, make, receipt, scores
from nbjudge._course.course import Course
from nbjudge._course.locks import FOLDER, alone, turn
from nbjudge._wire.errors import CannotGrade
from nbjudge.testing.small_course import ASSIGNMENT

pytestmark = pytest.mark.slow

MANY = 100


def rows(root: Path) -> int:
    """Submissions in the gradebook, were one there twice."""
    with contextlib.closing(sqlite3.connect(root / "gradebook.db")) as gradebook:
        return gradebook.execute("SELECT count(*) FROM submitted_assignment").fetchone()[0]


def test_a_hundred_hand_ins_at_once_and_the_instructors_grading_beside(tmp_path: Path) -> None:
    root = make(tmp_path / "course")
    students = {f"s{number}": WRONG if number % 3 else RIGHT for number in range(MANY)}
    with Watching(root) as watch:
        watch.wait_for("^watching")
        together = [
            threading.Thread(target=lambda some=some: [hand_in(root, student, students[student]) for student in some])
            for some in (list(students)[number::4] for number in range(4))
        ]
        for thread in together:
            thread.start()
        for thread in together:
            thread.join()
        watch.wait_for("  [14] of 4")
        watch.wait_for("  [14] of 4")
        begun = time.monotonic()
        with Watching(root, command="grade") as grading:
            grading.wait_for("0 not graded", 200)
            assert grading.process.wait(60) == 0
        assert time.monotonic() - begun < 200
        hand_in(root, "late")
        watch.wait_for("late  week1  4 of 4")
        assert watch.stop() == 130
    wanted = {**{student: 4 if answer == RIGHT else 1 for student, answer in students.items()}, "late": 4}
    assert scores(root) == wanted
    assert rows(root) == len(wanted)
    assert all(receipt(root, student).is_file() for student in wanted)
    graded = [line.split("  ")[1] for line in watch.said if " of 4" in line]
    assert len(graded) == len(set(graded)) < MANY  # each at most once, and the rest by the other
    assert any("`nbjudge grade` (process " in line and "comes first" in line for line in watch.said), watch.said


def test_a_gradebook_that_is_locked_for_a_while_costs_no_point(tmp_path: Path) -> None:
    root = make(tmp_path / "course", "ada")
    with Watching(root) as watch:
        watch.wait_for_graded("ada")
        with contextlib.closing(sqlite3.connect(root / "gradebook.db", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            hand_in(root, "ada", WRONG)
            hand_in(root, "bob")
            assert "another program writes to gradebook.db" in watch.wait_for("not graded yet")
            other.execute("ROLLBACK")
        watch.wait_for_graded("ada", "bob")
        watch.stop()
    assert scores(root) == {"ada": 1, "bob": 4}


def test_a_watcher_that_is_killed_while_it_records_leaves_nothing_broken(tmp_path: Path) -> None:
    root = make(tmp_path / "course", "ada")
    for delay in (0.0, 0.15):
        with Watching(root) as watch:
            watch.wait_for("^watching")
            hand_in(root, "bob", f"{RIGHT}  # {delay}")
            deadline = time.monotonic() + 60
            while not list(root.glob("gradebook.db-journal")) and time.monotonic() < deadline:
                pass  # SQLite's file is there for the moments in which the gradebook is written
            time.sleep(delay)
            watch.process.send_signal(signal.SIGKILL)
            watch.process.wait()
        with contextlib.closing(sqlite3.connect(root / "gradebook.db")) as gradebook:
            assert gradebook.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with Watching(root) as watch:
        watch.wait_for("^watching")
        hand_in(root, "cem")
        watch.wait_for("cem  week1  4 of 4")
        deadline = time.monotonic() + 60
        while not (receipt(root, "ada").is_file() and receipt(root, "bob").is_file()) and time.monotonic() < deadline:
            time.sleep(0.1)
        watch.stop()
    assert scores(root) == {"ada": 4, "bob": 4, "cem": 4}
    assert rows(root) == 3
    assert (root / "feedback" / "bob" / ASSIGNMENT / "sums.html").is_file()


def test_who_waits_comes_next(tmp_path: Path) -> None:
    order: list[str] = []
    heard: list[str] = []
    course = Course(make(tmp_path / "course"))

    def grade() -> None:
        with turn(course, "nbjudge grade", heard.append, 20):
            order.append("grade")

    thread = threading.Thread(target=grade)
    for number in range(6):
        with turn(course, "nbjudge watch", heard.append):
            order.append("watch")
            if number == 2:
                thread.start()
                time.sleep(1)
    thread.join()
    assert order == ["watch"] * 3 + ["grade"] + ["watch"] * 3
    assert [words.split(" (")[0] for words in heard] == ["`nbjudge watch`"]
    assert "comes first. This waits until the gradebook is free, and goes on by itself." in heard[0]


def test_waiting_has_an_end_and_the_same_command_twice_is_refused(tmp_path: Path) -> None:
    course = Course(make(tmp_path / "course"))
    with turn(course, "nbjudge watch", print):
        with (
            pytest.raises(CannotGrade, match=r"has not given the gradebook free for 0 minutes\. Next: look whether it still works"),
            turn(course, "nbjudge grade", lambda words: None, 1),
        ):
            pass
        with pytest.raises(CannotGrade, match="is at work in this course already"), turn(course, "nbjudge watch", print, 1):
            pass
    (course.root / FOLDER / "gradebook.json").write_text(json.dumps({"name": "\x1b[2J", "process": "x"}), encoding="utf-8")
    with turn(course, "nbjudge grade", print), alone(course.root, "nbjudge grade", print):
        pass


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    course = Course(make(tmp_path / "course"))
    (course.root / FOLDER).write_text("", encoding="utf-8")
    with pytest.raises(CannotGrade, match=f"{FOLDER} cannot be written .*Next: "), turn(course, "nbjudge grade", print):
        pass
