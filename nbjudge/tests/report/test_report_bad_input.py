"""Gradebooks, notebooks, settings and folders that are not as a report wants them: a page, or one clear sentence, and nothing lost."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from helpers.reports import causes_of, whole_of
from nbjudge._course.course import Course
from nbjudge._report.failures import TestResult, tell, wanted_of
from nbjudge._report.gradebook import read_book
from nbjudge.testing import small_course
from nbjudge.testing.small_course import ANSWERS, ASSIGNMENT, run

pytestmark = pytest.mark.slow

NO_GRADES = "there are no grades yet. Next: grade first, then run the same command again"


def refused(root: Path) -> str:
    """What the command says where it writes no report: one sentence, and no traceback."""
    done = run(root, "nbjudge", "report", check=False)
    assert done.returncode == 1 and not (root / "report").exists()
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    return done.stderr


def test_without_a_gradebook_there_is_a_sentence_and_none_is_made(tmp_path: Path) -> None:
    root = small_course.make(tmp_path / "course")
    assert NO_GRADES in refused(root)
    assert not (root / "gradebook.db").exists()


def test_an_empty_gradebook_one_that_is_none_and_one_that_is_being_written_each_have_a_sentence(course: Path) -> None:
    path = course / "gradebook.db"
    with sqlite3.connect(path, isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert "another program writes to gradebook.db" in refused(course)
        other.execute("ROLLBACK")
    other.close()
    path.unlink()
    Gradebook(f"sqlite:///{path}").close()
    assert NO_GRADES in refused(course)
    path.write_bytes(b"")
    assert "the gradebook cannot be read" in refused(course)
    path.write_bytes(b"no database at all, but long enough to be read as one" * 40)
    assert "gradebook.db is no database" in refused(course)


def test_one_student_is_a_page(tmp_path: Path) -> None:
    root = small_course.make(tmp_path / "course", answers={"ada": ANSWERS["bob"]})
    run(root, "nbjudge", "grade")
    assert "1 of 1 failure has a cause with a name" in run(root, "nbjudge", "report").stdout
    [part] = whole_of(root).parts
    assert all("fewer than 30 students" in item.discrimination.why_not for item in part.items if item.question.is_automatic)


def test_an_assignment_without_tests_is_a_page(course: Path) -> None:
    source = small_course.source()
    source.cells = [cell for cell in source.cells if cell.metadata.nbgrader.grade_id == "why"]
    (course / "source" / "essay").mkdir()
    nbformat.write(source, course / "source" / "essay" / "sums.ipynb")
    (course / "submitted" / "ada" / "essay").mkdir()
    nbformat.write(source, course / "submitted" / "ada" / "essay" / "sums.ipynb")
    run(course, "nbjudge", "grade")
    [part] = [part for part in whole_of(course).parts if part.assignment == "essay"]
    assert "No question here is graded by a test" in part.notes[0] and not part.causes
    assert "10 answers to grade by hand" in run(course, "nbjudge", "report").stdout


def test_without_graded_notebooks_points_are_told_and_causes_are_not(course: Path) -> None:
    shutil.rmtree(course / "autograded")
    [part] = whole_of(course).parts
    assert not part.causes and "no graded notebook to read of 9 of 9" in part.notes[0]
    assert [item.attempted for item in part.items] == [None] * 3
    assert Counter(item.full for item in part.items) == {1: 1, 8: 1, 0: 1}


def test_a_notebook_that_was_graded_again_by_another_way_is_told_by_its_own_message(course: Path) -> None:
    for student in ("hana", "ivo"):
        path = course / "autograded" / student / ASSIGNMENT / "sums.ipynb"
        path.chmod(0o644)
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                if output.output_type == "error":
                    output.ename, output.evalue = "Test", "halves are doubled, too"
        nbformat.write(notebook, path)
    assert {"halves are doubled, too": ("hana", "ivo")}.items() <= {cause.title: cause.students for cause in causes_of(whole_of(course))}.items()


DAMAGES = [b"", b"{", b"[]", b'{"cells": 3}', b'{"cells": [3, {}, {"metadata": 3}, {"metadata": {"nbgrader": 3}}]}', b"[" * 200_000, b"\xff\xfe"]


def test_a_graded_notebook_that_is_none_tells_nothing_and_stops_nothing(course: Path) -> None:
    path = course / "autograded" / "bob" / ASSIGNMENT / "sums.ipynb"
    path.chmod(0o644)
    book = read_book(Course(course))
    for damage in DAMAGES:
        path.write_bytes(damage)
        assert tell(Course(course), "bob", ASSIGNMENT, wanted_of(book.questions[ASSIGNMENT], book.cells[ASSIGNMENT])) == TestResult()
    [part] = whole_of(course).parts
    assert "no graded notebook to read of 1 of 9" in part.notes[0]
    assert {"cem", "dora"} in [set(cause.students) for cause in part.causes]


def test_a_setting_that_cannot_be_stops_before_anything_is_graded(tmp_path: Path) -> None:
    root = small_course.make(tmp_path / "course", config=f"{small_course.NBJUDGE}c.Report.together = 'predict_'\n")
    done = run(root, "nbjudge", "grade", check=False)
    assert (done.returncode, len(done.stderr.strip().splitlines())) == (1, 1)
    assert "a setting of c.Report cannot be" in done.stderr and not (root / "autograded").exists()


def test_a_folder_with_something_else_is_left_alone(course: Path) -> None:
    (course / "report").mkdir()
    (course / "report" / "mine.txt").write_text("mine", encoding="utf-8")
    done = run(course, "nbjudge", "report", check=False)
    assert done.returncode == 1 and "mine.txt" in done.stderr
    assert [path.name for path in (course / "report").iterdir()] == ["mine.txt"]
