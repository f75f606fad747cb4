"""Collected twice: a later hand-in replaces an earlier one and never the other way round; what is replaced is kept; nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import pytest
from nbgrader.api import Assignment, Gradebook

from helpers.arriving import DATES, collected, course, folder, reasons, submitted, sums, told, zip_bytes, zipped
from nbjudge._lms import placing
from nbjudge._wire.errors import CannotGrade

__all__ = ["course"]
OLD, NEW = sums("def double(x):\n    return 1"), sums("def double(x):\n    return 2")
MOODLE = "Ada Lovelace_501_assignsubmission_file/sums.ipynb"
HERE = "ada/week1/sums.ipynb"


def of_ada(course: Path) -> str:
    return submitted(course)[HERE].decode()


def kept(course: Path) -> list[str]:
    return [path.read_text() for path in (course / "collected/week1/earlier").rglob("*.ipynb")]


def test_the_same_zip_again_changes_nothing(course: Path, tmp_path: Path) -> None:
    source = zipped(tmp_path / "all.zip", {MOODLE: OLD})
    collected(course, source)
    before = {path: path.stat().st_mtime_ns for path in (course / "submitted").rglob("*")}
    assert told(collected(course, source)) == {("ada", "week1"): "there already"}
    assert before == {path: path.stat().st_mtime_ns for path in (course / "submitted").rglob("*")}
    assert not kept(course)


@pytest.mark.parametrize("newer_first", [False, True])
def test_of_two_zips_of_moodles_the_one_made_later_counts(course: Path, tmp_path: Path, newer_first: bool) -> None:
    zips = [zipped(tmp_path / "old.zip", {MOODLE: OLD}, DATES[0]), zipped(tmp_path / "new.zip", {MOODLE: NEW}, DATES[1])]
    became = [told(collected(course, source))["ada", "week1"] for source in (reversed(zips) if newer_first else zips)]
    assert of_ada(course) == NEW
    assert became == ["new", "earlier than the one that is there" if newer_first else "replaces an earlier one"]
    assert kept(course) == ([] if newer_first else [OLD])
    if not newer_first:
        assert told(collected(course, zips[0]))["ada", "week1"] == "earlier than the one that is there"
        assert of_ada(course) == NEW and kept(course) == [OLD]


@pytest.mark.parametrize("newer_first", [False, True])
def test_canvass_numbers_of_files_tell_which_is_later(course: Path, tmp_path: Path, newer_first: bool) -> None:
    """Also against the dates: numbers are given when a file is uploaded, dates when somebody packs."""
    zips = [
        zipped(tmp_path / "old.zip", {"lovelaceada_12_9001_sums.ipynb": OLD}, DATES[1]),
        zipped(tmp_path / "new.zip", {"lovelaceada_LATE_12_9044_sums-1.ipynb": NEW}, DATES[0]),
    ]
    rows = [collected(course, source).rows[0] for source in (reversed(zips) if newer_first else zips)]
    assert of_ada(course) == NEW
    assert rows[0 if newer_first else 1].late == "late, says Canvas"


def test_of_two_files_in_one_canvas_hand_in_the_one_uploaded_last_counts(course: Path, tmp_path: Path) -> None:
    files = {"lovelaceada_12_9044_sums-1.ipynb": NEW, "lovelaceada_12_9001_sums.ipynb": OLD}
    [row] = collected(course, zipped(tmp_path / "all.zip", files)).rows
    assert of_ada(course) == NEW
    assert row.handin.remarks == ["handed in 2 files for sums.ipynb: lovelaceada_12_9044_sums-1.ipynb, uploaded last, counts"]


def test_of_two_files_of_which_nothing_tells_which_is_later_neither_is_taken(course: Path, tmp_path: Path) -> None:
    for number, files in enumerate(({"ada.ipynb": OLD, "ada (1).ipynb": NEW}, {"ada/sums.ipynb": OLD, "ada/sums-2.ipynb": NEW})):
        collection = collected(course, folder(tmp_path / str(number), files))
        assert not submitted(course) and "these are different files for sums.ipynb" in reasons(collection)
    collected(course, folder(tmp_path / "same", {"ada.ipynb": OLD, "ada (1).ipynb": OLD}))
    assert of_ada(course) == OLD, "the same bytes are no second hand-in"


def test_where_nothing_tells_what_is_there_stays_until_the_instructor_says_so(course: Path, tmp_path: Path) -> None:
    collected(course, folder(tmp_path / "first", {"ada.ipynb": OLD}))
    second = folder(tmp_path / "second", {"ada.ipynb": NEW})
    os.utime(second / "ada.ipynb", (2e9, 2e9))  # a copied folder says nothing of when it was handed in
    assert told(collected(course, second)) == {("ada", "week1"): "not known to be later than the one that is there"}
    assert of_ada(course) == OLD
    assert told(collected(course, second, is_newer=True)) == {("ada", "week1"): "replaces an earlier one"}
    assert of_ada(course) == NEW and kept(course) == [OLD]
    assert told(collected(course, folder(tmp_path / "third", {"ada.ipynb": OLD}), is_newer=True)) == {
        ("ada", "week1"): "earlier than the one that is there"
    }, "it was replaced before"


def test_the_instructor_cannot_say_that_an_earlier_time_is_later(course: Path, tmp_path: Path) -> None:
    for name, time_of, content in (("b", "2026-03-08 12:00:00 UTC", NEW), ("a", "2026-03-08 12:30:00 CET", OLD)):
        collected(course, folder(tmp_path / name, {"ada/week1/sums.ipynb": content, "ada/week1/timestamp.txt": time_of}), is_newer=True)
    assert of_ada(course) == NEW


def test_what_lies_in_submitted_by_hand_is_not_replaced(course: Path, tmp_path: Path) -> None:
    folder(course / "submitted", {HERE: OLD})
    [row] = collected(course, zipped(tmp_path / "all.zip", {MOODLE: NEW})).rows
    assert row.became.value == "not known to be later than the one that is there"
    assert of_ada(course) == OLD


def test_several_zips_in_a_folder_are_ordered(course: Path, tmp_path: Path) -> None:
    """Unpacked, so that no date is known: Canvas's numbers tell, Moodle's do not."""
    collected(course, folder(tmp_path / "canvas", {"2/lovelaceada_12_9044_sums-1.ipynb": NEW, "1/lovelaceada_12_9001_sums.ipynb": OLD}))
    assert of_ada(course) == NEW and kept(course) == [OLD]
    collection = collected(course, folder(tmp_path / "moodle", {"1/" + MOODLE: OLD, "2/" + MOODLE: NEW}))
    assert "FROM holds 2 different hand-ins of ada for week1" in reasons(collection) and of_ada(course) == NEW


def test_late_is_told_where_the_time_and_the_due_date_are_known(course: Path, tmp_path: Path) -> None:
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "sums") as gradebook:
        gradebook.db.add(Assignment(name="week1", duedate=datetime(2026, 3, 1, 12), course_id=gradebook.course_id))
        gradebook.db.commit()
    files = {}
    for student, when in (("ada", "2026-03-01 14:00:00 UTC"), ("bob", "2026-03-01 12:30:00 CET"), ("zoe", "")):
        files |= {f"{student}/week1/sums.ipynb": OLD} | ({f"{student}/week1/timestamp.txt": when} if when else {})
    assert {row.handin.student: row.late for row in collected(course, folder(tmp_path / "all", files)).rows} == {
        "ada": "late by 2 h",
        "bob": "",
        "zoe": "",
    }


def test_a_disk_that_gets_full_leaves_each_hand_in_whole(course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    collected(course, zipped(tmp_path / "old.zip", {MOODLE: OLD}, DATES[0]))
    before = submitted(course)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(placing.shutil, "copytree", full)  # where the earlier one is kept
    with pytest.raises(OSError, match="No space"):
        collected(course, zipped(tmp_path / "new.zip", {MOODLE: NEW}, DATES[1]))
    monkeypatch.undo()
    assert submitted(course) == before and not list(course.glob(".collecting"))
    monkeypatch.setattr(placing.os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        collected(course, zipped(tmp_path / "new.zip", {MOODLE: NEW}, DATES[1]))
    monkeypatch.undo()
    assert submitted(course) == before
    collected(course, zipped(tmp_path / "new.zip", {MOODLE: NEW}, DATES[1]))
    assert of_ada(course) == NEW and kept(course) == [OLD]


@pytest.mark.slow
def test_ctrl_c_leaves_each_hand_in_whole_and_the_next_run_goes_on(course: Path, tmp_path: Path) -> None:
    source = folder(tmp_path / "all", {f"ada/week1/data/{number}.bin": os.urandom(200_000) for number in range(300)} | {"ada/week1/sums.ipynb": OLD})
    source = zipped(tmp_path / "all.zip", {str(path.relative_to(source)): path.read_bytes() for path in source.rglob("*") if path.is_file()})
    command = [sys.executable, "-m", "nbjudge", "collect", str(source)]
    environment = os.environ
    run = subprocess.Popen(command, cwd=course, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while not list(course.glob(".collecting/*")) and run.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    run.send_signal(signal.SIGINT)
    said, complained = run.communicate(timeout=120)
    assert (run.returncode, "Stopped. Each hand-in is there as a whole, or not at all." in said) == (130, True), said + complained
    assert "Traceback" not in complained and len(submitted(course)) == 0
    assert not list(course.glob(".collecting"))
    collected(course, source)
    assert len(submitted(course)) == 301


def test_only_one_run_at_a_time(course: Path, tmp_path: Path) -> None:
    from nbjudge._course.course import Course

    with placing.scratch_folder(Course(course)), pytest.raises(CannotGrade, match="another `collect` is at work"):
        collected(course, folder(tmp_path / "all", {"ada.ipynb": OLD}))


def test_what_a_killed_run_left_is_cleared_away(course: Path, tmp_path: Path) -> None:
    folder(course / ".collecting", {"old/sums.ipynb": "x"})
    collected(course, zipped(tmp_path / "a.zip", {"ada.zip": zip_bytes({"sums.ipynb": OLD})}))
    assert of_ada(course) == OLD and not (course / ".collecting").exists()
