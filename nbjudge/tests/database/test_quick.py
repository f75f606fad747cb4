"""The gradebook with fewer questions: the same rows as nbgrader's own way of asking, with a part of the questions."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbgrader.api
import pytest
from nbgrader.api import Gradebook, MissingEntry, get_alembic_version
from sqlalchemy.engine.default import DefaultDialect

from nbjudge._course.course import Course
from nbjudge._course.grading import grade_class
from nbjudge._course.outcomes import Status
from nbjudge._nbgrader.batched_gradebook import Quick
from nbjudge._wire.errors import CannotGrade
from nbjudge.testing import small_course

MADE = {"id", "cell_id", "notebook_id", "assignment_id", "comment_id", "grade_id"}  # up anew each time


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = small_course.make(tmp_path_factory.mktemp("quick") / "course", small_course.NBJUDGE, small_course.ANSWERS)
    list(grade_class(Course(root)))
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "sums") as gradebook:
        gradebook.find_grade("why", "sums", small_course.ASSIGNMENT, "bob").manual_score = 1.5
        gradebook.find_comment("why", "sums", small_course.ASSIGNMENT, "bob").manual_comment = "Almost."
        gradebook.db.commit()
    return root


def rows(root: Path) -> dict[str, Counter]:
    """What the gradebook holds, but for what is drawn anew each time."""
    found = {}
    with contextlib.closing(sqlite3.connect(root / "gradebook.db")) as gradebook:
        for (name,) in gradebook.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            cursor = gradebook.execute(f"SELECT * FROM {name}")
            kept = [number for number, column in enumerate(cursor.description) if column[0] not in MADE or name == "student"]
            found[name] = Counter(tuple(row[number] for number in kept) for row in cursor)
    return found


def grade_again(root: Path, monkeypatch: pytest.MonkeyPatch, as_nbgrader: bool) -> tuple[Counter, dict[str, str]]:
    """Grade everything anew; how often what was done with the database, and the pages."""
    seen: Counter = Counter()
    with (root / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write("#\n")
    course = Course(root)

    def heard(usual: Callable[..., None], what: str) -> Callable[..., None]:
        def hears(*arguments: Any, **more: Any) -> None:
            seen.update([what])
            usual(*arguments, **more)

        return hears

    with monkeypatch.context() as patched:
        if as_nbgrader:
            patched.setattr(Quick, "entered", lambda self, **_: contextlib.nullcontext())
        for method, what in (("do_commit", "commits"), ("do_execute", "questions")):
            patched.setattr(DefaultDialect, method, heard(getattr(DefaultDialect, method), what))
        outcomes = list(grade_class(course))
    assert {outcome.status for outcome in outcomes} == {Status.GRADED}
    return seen, {str(page.relative_to(root)): page.read_text() for page in root.glob("feedback/*/*/*.html")}


@pytest.mark.slow
def test_rows_and_pages_are_those_of_nbgraders_own_way(graded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = shutil.copytree(graded, tmp_path / "ours"), shutil.copytree(graded, tmp_path / "theirs")
    quick, pages = grade_again(ours, monkeypatch, as_nbgrader=False)
    usual, their_pages = grade_again(theirs, monkeypatch, as_nbgrader=True)
    assert rows(ours) == rows(theirs)
    assert pages == their_pages
    assert quick["commits"] < usual["commits"] / 2 and quick["questions"] < usual["questions"] / 2, (quick, usual)


def names() -> tuple[object, ...]:
    """What of nbgrader's is another while it works for us."""
    return nbgrader.api.create_engine, nbgrader.api.sessionmaker, nbgrader.api.get_alembic_version, Gradebook.__init__, Gradebook.find_grade


def test_what_fails_leaves_nbgrader_as_it_was(graded: Path, tmp_path: Path) -> None:
    before = names()
    course = Course(shutil.copytree(graded, tmp_path / "course"))
    chosen = course.folders.assignment_id, course.folders.student_id
    with pytest.raises(CannotGrade, match="nbgrader cannot write the feedback"):
        course.write_feedback("nobody", small_course.ASSIGNMENT)
    assert names() == before and (course.folders.assignment_id, course.folders.student_id) == chosen
    (course.root / "gradebook.db").write_text("no database")
    for _ in range(2):
        with pytest.raises(CannotGrade), Course(course.root).gradebook():
            pytest.fail("it was opened")
        assert names() == before


def test_threads_that_overlap_leave_nbgrader_as_it_was() -> None:
    before: tuple[object, ...] = names()
    order: list[str] = []
    first_is_in, second_asks = threading.Event(), threading.Event()

    def second() -> None:
        first_is_in.wait(10)
        second_asks.set()
        with Quick().entered(for_steps=False):
            order.append("second in")
        order.append("second out")

    other = threading.Thread(target=second)
    other.start()
    with Quick().entered(), Quick().entered(cells_change=True):
        first_is_in.set()
        second_asks.wait(10)
        other.join(0.2)
        order.append("first out")
    other.join(10)
    assert order == ["first out", "second in", "second out"]
    assert names() == before


def test_a_gradebook_that_is_gone_is_made_anew(graded: Path, tmp_path: Path) -> None:
    course = Course(shutil.copytree(graded, tmp_path / "course"))
    for _ in range(2):
        with course.gradebook() as gradebook:
            assert gradebook.students
    (course.root / "gradebook.db").unlink()
    with course.gradebook() as gradebook:
        assert gradebook.students == []


def test_a_new_gradebook_has_nbgraders_own_version(tmp_path: Path) -> None:
    course = Course(small_course.make(tmp_path / "course", small_course.NBJUDGE, {}))
    course.register(small_course.ASSIGNMENT)
    with contextlib.closing(sqlite3.connect(course.root / "gradebook.db")) as gradebook:
        assert gradebook.execute("SELECT version_num FROM alembic_version").fetchall() == [(get_alembic_version(),)]


def test_what_is_missing_is_missing_and_what_comes_is_found(graded: Path, tmp_path: Path) -> None:
    course = Course(shutil.copytree(graded, tmp_path / "course"))
    with course._quick.entered(), Gradebook(course.folders.db_url) as gradebook:
        with pytest.raises(MissingEntry):
            gradebook.find_grade("no such cell", "sums", small_course.ASSIGNMENT, "bob")
        assert gradebook.find_grade("why", "sums", small_course.ASSIGNMENT, "bob").manual_score == 1.5
        with pytest.raises(MissingEntry):
            gradebook.find_grade("why", "sums", small_course.ASSIGNMENT, "eve")
        gradebook.add_student("eve")
        gradebook.add_submission(small_course.ASSIGNMENT, "eve")
        assert gradebook.find_grade("why", "sums", small_course.ASSIGNMENT, "eve").manual_score is None


def test_what_somebody_commits_is_there_for_others_at_once(graded: Path, tmp_path: Path) -> None:
    course = Course(shutil.copytree(graded, tmp_path / "course"))
    with course.gradebook() as gradebook:
        gradebook.add_student("eve")
        with contextlib.closing(sqlite3.connect(course.root / "gradebook.db", timeout=1)) as other:
            assert other.execute("SELECT count(*) FROM student WHERE id = 'eve'").fetchone() == (1,)
            other.execute("UPDATE student SET first_name = 'Eve' WHERE id = 'eve'")
            other.commit()


def test_what_is_taken_back_is_not_written(graded: Path, tmp_path: Path) -> None:
    course = Course(shutil.copytree(graded, tmp_path / "course"))
    before = rows(course.root)
    with course._quick.entered(), Gradebook(course.folders.db_url) as gradebook:
        gradebook.add_student("eve")
        gradebook.db.rollback()
    assert rows(course.root) == before
