"""`nbjudge collect` from nbgrader's exchange, filled by nbgrader's own `submit`, and feedback released into it by nbgrader's own command."""

from __future__ import annotations

import hashlib
import os
import stat
from collections import defaultdict
from pathlib import Path

import pytest
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeSubmit
from traitlets.config import Config

from helpers.arriving import collected, course, folder, of_week2, reasons, submitted, sums, told
from nbjudge._course.course import Course
from nbjudge._lms.giveback import release
from nbjudge._wire.errors import CannotGrade

__all__ = ["course"]
OLD, NEW = sums("def double(x):\n    return 1"), sums("def double(x):\n    return 2")
TIMES = {OLD: "2026-03-01 10:00:00.000000 UTC", NEW: "2026-03-02 10:00:00.000000 UTC"}


@pytest.fixture
def exchange(tmp_path: Path) -> Path:
    """An exchange with the course sums, week1 released in it."""
    root = tmp_path / "exchange"
    folder(root / "sums" / "outbound" / "week1", {"sums.ipynb": sums()})
    (root / "sums" / "inbound").mkdir()
    (root / "sums" / "inbound").chmod(0o733)
    return root


def hand_in(exchange: Path, home: Path, student: str, content: str, when: str = "") -> Path:
    """Submit as nbgrader does it, at another time if one is given."""
    folder(home / "week1", {"sums.ipynb": content, "data.csv": "1"})
    config = Config(
        {
            "CourseDirectory": {"course_id": "sums", "assignment_id": "week1", "student_id": student, "root": str(home)},
            "Exchange": {"root": str(exchange), "cache": str(home / "cache"), "assignment_dir": str(home)},
        }
    )
    submit = ExchangeSubmit(coursedir=CourseDirectory(config=config), authenticator=Authenticator(config=config), config=config)
    submit.set_timestamp = lambda: setattr(submit, "timestamp", when or TIMES[content])
    submit.start()
    return exchange / "sums" / "inbound" / submit.assignment_filename


@pytest.mark.parametrize("part", ["", "sums", "sums/inbound"])
def test_the_latest_of_each_student_is_collected_with_its_time(course: Path, exchange: Path, tmp_path: Path, part: str) -> None:
    for content in (NEW, OLD):
        hand_in(exchange, tmp_path / "ada", "ada", content)
    hand_in(exchange, tmp_path / "bob", "bob", OLD)
    collection = collected(course, exchange / part)
    assert told(collection) == {("ada", "week1"): "new", ("bob", "week1"): "new"}, reasons(collection)
    here = submitted(course)
    assert here["ada/week1/sums.ipynb"].decode() == NEW and here["ada/week1/timestamp.txt"].decode() == TIMES[NEW]
    assert {"ada/week1/data.csv", "ada/week1/submission_secret.txt"} <= here.keys()
    remarks = {row.handin.student: row.handin.remarks for row in collection.rows}
    assert "handed in 2 times: the latest counts, the others stay in the exchange" in remarks["ada"]
    assert any("whether bob submitted it cannot be told" in remark for remark in remarks["bob"])
    assert len(list((exchange / "sums/inbound").iterdir())) == 3
    assert told(collected(course, exchange / part)) == {("ada", "week1"): "there already", ("bob", "week1"): "there already"}


def test_a_later_hand_in_replaces_an_earlier_one_and_never_the_other_way_round(course: Path, exchange: Path, tmp_path: Path) -> None:
    first = hand_in(exchange, tmp_path / "ada", "ada", OLD)
    collected(course, exchange)
    later = hand_in(exchange, tmp_path / "ada", "ada", NEW)
    assert told(collected(course, exchange))["ada", "week1"] == "replaces an earlier one"
    later.rename(tmp_path / later.name)
    assert first.is_dir() and told(collected(course, exchange))["ada", "week1"] == "earlier than the one that is there"
    assert submitted(course)["ada/week1/sums.ipynb"].decode() == NEW


def test_one_bad_hand_in_stops_nobody(course: Path, exchange: Path, tmp_path: Path) -> None:
    secret = tmp_path / "instructor.txt"
    secret.write_text("the answers")
    inbound = exchange / "sums" / "inbound"
    hand_in(exchange, tmp_path / "ada", "ada", OLD)
    linked = hand_in(exchange, tmp_path / "bob", "bob", OLD)
    (linked / "stolen.txt").symlink_to(secret)
    piped = hand_in(exchange, tmp_path / "zoe", "zoe", OLD)
    os.mkfifo(piped / "pipe")
    folder(inbound / "ung+week9+2026-03-01 10:00:00 UTC+abc", {"x.ipynb": "{}"})
    folder(inbound / "what is this", {"x.ipynb": "{}"})
    folder(inbound / "stranger+week1+2026-03-01 10:00:00 UTC+abc", {"sums.ipynb": OLD})
    collection = collected(course, exchange)
    assert told(collection) == {("ada", "week1"): "new", ("bob", "week1"): "new", ("zoe", "week1"): "new"}
    remarks = {row.handin.student: " ".join(row.handin.remarks) for row in collection.rows}
    assert "'stolen.txt' of bob is not collected" in remarks["bob"] and "'pipe' of zoe is not collected" in remarks["zoe"]
    why = reasons(collection)
    assert "the course has no assignment week9" in why
    assert "is not STUDENT+ASSIGNMENT+TIME" in why and "no one of that name is in the class" in why
    assert b"the answers" not in submitted(course).values()


def test_an_exchange_without_this_course_says_which_it_has(course: Path, tmp_path: Path) -> None:
    folder(tmp_path / "exchange" / "algebra" / "inbound", {".keep": ""})
    with pytest.raises(CannotGrade, match="the exchange has the courses algebra, and not sums"):
        collected(course, tmp_path / "exchange")


def test_only_the_chosen_assignment_is_fetched(course: Path, exchange: Path, tmp_path: Path) -> None:
    hand_in(exchange, tmp_path / "ada", "ada", OLD)
    folder(exchange / "sums/inbound/ada+week2+2026-03-01 10:00:00 UTC+abc", {"products.ipynb": of_week2(course)})
    assert told(collected(course, exchange, "week2")) == {("ada", "week2"): "new"}


def test_feedback_in_the_exchange_is_readable_by_its_student_alone(course: Path, exchange: Path, tmp_path: Path) -> None:
    """Nobody can list the folder, and a page's name is made of the hand-in's secret."""
    hand_in(exchange, tmp_path / "ada", "ada", OLD)
    collected(course, exchange)
    pages = folder(tmp_path / "pages", {"sums.html": "for ada", "bob.html": "for bob"})
    own, missing = Course(course), defaultdict(list)
    own.config.Exchange.root = str(exchange)
    written = release(own, "week1", {"ada": [pages / "sums.html"], "bob": [pages / "bob.html"]}, missing)
    place = exchange / "sums" / "feedback"
    secret = submitted(course)["ada/week1/submission_secret.txt"].decode()
    name = hashlib.md5((secret + "sums").encode()).hexdigest() + ".html"
    assert {path.name: path.read_text() for path in place.iterdir()} == {name: "for ada"}
    assert written == {str(place): 1} and list(missing.values()) == [["bob"]]
    assert stat.S_IMODE(place.stat().st_mode) & 0o077 == 0o011 and stat.S_IMODE((place / name).stat().st_mode) & 0o004
    place.chmod(0o755)
    with pytest.raises(CannotGrade, match="everybody can list"):
        release(own, "week1", {"ada": [pages / "sums.html"]}, missing)
