"""What class.csv and dates.csv say comes into the gradebook, and grades out of it, with a few questions, however large the class."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pytest
from nbgrader.api import Gradebook
from rich.console import Console
from sqlalchemy import event
from traitlets.config import Config

from nbjudge._course.class_records import bring_up_to_date
from nbjudge._course.course import Course
from nbjudge._course.outcomes import Outcome, Status
from nbjudge._lms.export import Points, export, read_points
from nbjudge._nbgrader import late_penalties
from nbjudge._nbgrader.late_penalties import LatePenalties
from nbjudge._report.csv_files import read_grades
from nbjudge._wire.errors import CannotGrade

T = TypeVar("T")
POINTS = {"a": 3.0, "b": 1.0}


def late_class(root: Path, size: int) -> Course:
    """A class in which everybody is two days late with an assignment of two notebooks; the first has more time, and is late by one."""
    (root / "source" / "hw").mkdir(parents=True)
    (root / "source" / "hw" / "a.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}', encoding="utf-8")
    (root / "nbgrader_config.py").write_text("c = get_config()\n", encoding="utf-8")
    (root / "dates.csv").write_text("assignment,due,late,student\nhw,2026-05-01 12:00Z,25% a day,\nhw,2026-05-02 12:00Z,,s0\n", encoding="utf-8")
    course = Course(root)
    with course.gradebook() as gradebook:
        gradebook.add_assignment("hw")
        for notebook in POINTS:
            gradebook.add_notebook(notebook, "hw")
            gradebook.add_grade_cell("q", notebook, "hw", max_score=4, cell_type="code")
        for student in (f"s{number}" for number in range(size)):
            gradebook.add_student(student)
            gradebook.add_submission("hw", student, timestamp=datetime(2026, 5, 3, 12))
            for notebook, points in POINTS.items():
                gradebook.find_grade("q", notebook, "hw", student).auto_score = points
        gradebook.db.commit()
    return course


def asked(course: Course, do: Callable[[], T]) -> tuple[T, int]:
    """What comes of something, and how many questions the database was asked meanwhile."""
    questions: list[str] = []
    with course.gradebook() as gradebook:
        event.listen(gradebook.engine, "before_cursor_execute", lambda *about: questions.append(about[2]))
        return do(), len(questions)


def penalties(gradebook: Gradebook, student: str) -> dict[str, float | None]:
    return {one.name: one.late_submission_penalty for one in gradebook.find_submission("hw", student).notebooks}


@pytest.mark.parametrize("again", [False, True], ids=["the first time", "nothing has changed"])
def test_a_class_that_is_late_costs_no_more_questions(tmp_path: Path, again: bool) -> None:
    few, many = (late_class(tmp_path / str(size), size) for size in (2, 12))
    if again:
        for course in (few, many):
            bring_up_to_date(course)
    _, one = asked(few, lambda: bring_up_to_date(few))
    changes, other = asked(many, lambda: bring_up_to_date(many))
    assert one == other and len(changes.late) == 12 and len(changes.changed_penalties) == (0 if again else 12)
    assert changes.extensions == (0 if again else 1)
    with many.gradebook() as gradebook:
        assert penalties(gradebook, "s0") == pytest.approx({"a": 1.5, "b": 0.5}), "25% of 8 points, in proportion to what each has"
        assert penalties(gradebook, "s1") == pytest.approx({"a": 3.0, "b": 1.0}), "no more than there is"


def test_grades_of_a_large_class_cost_no_more_questions(tmp_path: Path) -> None:
    few, many = (late_class(tmp_path / str(size), size) for size in (2, 12))
    for course in (few, many):
        bring_up_to_date(course)
    outcomes = [Outcome(f"s{number}/hw", Status.GRADED, f"s{number}", "hw") for number in range(12)]
    _, one = asked(few, lambda: read_grades(few, outcomes))
    [grades], other = asked(many, lambda: read_grades(many, outcomes))
    assert one == other and len(grades.rows) == 12
    row = grades.rows[0]
    assert (row.student, row.score, row.penalty, row.max_score, row.seconds_late) == ("s0", 4.0, pytest.approx(2.0), 8.0, 86400.0)


def test_the_points_of_a_large_class_cost_no_more_questions(tmp_path: Path) -> None:
    few, many = (late_class(tmp_path / str(size), size) for size in (2, 12))
    for course in (few, many):
        bring_up_to_date(course)

    def exported(course: Course) -> Points:
        with course.gradebook() as gradebook:
            return read_points(gradebook, course=course)

    _, one = asked(few, lambda: exported(few))
    found, other = asked(many, lambda: exported(many))
    assert one == other and [student.points["hw"] for student in found.students] == pytest.approx([2.0] + [0.0] * 11) and not found.waiting


def test_the_step_reads_the_files_again_where_they_are_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    late_class(tmp_path, 1)
    step, read = LatePenalties(config=Config({"CourseDirectory": {"root": str(tmp_path)}})), late_penalties.read_dates
    times: list[Path] = []
    monkeypatch.setattr(late_penalties, "read_dates", lambda root, *about: (times.append(root), read(root, *about))[1])
    found = [late_penalties._dates_of(step) for _ in range(3)]
    assert found[0] is not None and found == [found[0]] * 3 and len(times) == 1
    (tmp_path / "class.csv").write_text("id,mail\nada,s0\n", encoding="utf-8")
    with pytest.raises(CannotGrade, match=r"class\.csv is not used"):
        late_penalties._dates_of(step)
    (tmp_path / "class.csv").unlink()
    (tmp_path / "dates.csv").write_text("assignment,due\nhw,2026-05-07 12:00Z\n", encoding="utf-8")
    changed = late_penalties._dates_of(step)
    assert changed is not None and changed.due_at("hw", "s0") == datetime(2026, 5, 7, 12, tzinfo=UTC)


def test_an_export_says_what_cannot_be_written(tmp_path: Path) -> None:
    course = late_class(tmp_path, 1)
    (tmp_path / "gradings").write_text("in the way", encoding="utf-8")
    console = Console(record=True, file=io.StringIO(), width=200)
    assert export(course, console) == 1 and "gradings/dates.json cannot be written" in console.export_text()
