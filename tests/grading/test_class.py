"""The demonstration class goes through the whole grader: every submission has an outcome, and one bad one stops no other."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
import torch
from rich.console import Console

from attnlab import check
from attnlab.diagnosis.cause import CheckFailed
from authoring.answer_files import find_answers
from authoring.exercises import total_points, written_answers
from authoring.lessons import ROOT, Lesson, find_lessons, lessons_that_run_here, read_text
from authoring.pairing import pair
from demonstration.command import LESSON, make_class
from demonstration.students import PREFIX, STUDENTS
from nbjudge import Course
from nbjudge.testing.small_course import rows_by_question
from nbjudge.testing.steps import make

ALL = {
    "softmax": 3,
    "attention_scores": 2,
    "attention_weights": 2,
    "self_attention_loops": 5,
    "basic_self_attention": 4,
    "embed": 3,
    "fault_lines": 2,
}
LOSES = {  # which questions each student loses, by hand from what the answers do; the others are kept, also where they call one that is lost
    "perfect": set(),
    "another-style": set(),
    "prints-and-warns": set(),
    "late": set(),
    "copied-a-cell": set(),
    "empty": set(ALL),
    "half-way": set(ALL) - {"softmax", "attention_scores"},
    "softmax-over-queries": {"attention_weights", "basic_self_attention"},
    "softmax-over-everything": {"softmax"},
    "overflow": {"softmax"},
    "first-sequence-only": {"basic_self_attention", "embed"},
    "reads-globals": {"attention_scores"},
    "loops-for-ever": {"self_attention_loops"},
    "ends-python": {"self_attention_loops"},
    "deleted-a-test": {"softmax"},
}
KEEPS = {"first-sequence-only": {"basic_self_attention": 2}}  # for parts that work: one sequence, and both types
EVERY_LESSON = [student.name for student in STUDENTS if student.every_lesson]
MORE = len(EVERY_LESSON) * (len(lessons_that_run_here()) - 1)  # submissions to the later lessons
NOT_GRADED = {"cut-off-file": "it is not JSON"}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A copy of the course with the demonstration class and two misplaced files in it."""
    root = tmp_path_factory.mktemp("course")
    for lesson in find_lessons():
        pair(lesson)
    for name in ("source", "nbgrader_config.py"):
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, root / name)
    course = Course(root)
    make_class(course)
    (root / "submitted" / "stray.ipynb").write_text("{}", encoding="utf-8")
    return course


@pytest.fixture(scope="module")
def first_run(course: Course) -> subprocess.CompletedProcess[str]:
    return grade(course)


@pytest.fixture(scope="module")
def lines(course: Course, first_run: subprocess.CompletedProcess[str]) -> dict[str, dict[str, str]]:
    """The lines of the CSV for the first lesson by student."""
    return {line["student"].removeprefix(PREFIX): line for line in read_csv(course) if line["assignment"] in (LESSON.assignment, "")}


def read_csv(course: Course) -> list[dict[str, str]]:
    return rows_by_question(course.root)


def grade(course: Course) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "nbjudge", "grade", "--course", str(course.root)],
        cwd=course.root,
        text=True,
        capture_output=True,
        timeout=800,
        check=False,
        env={**os.environ, "COLUMNS": "200"},
    )


def test_every_submission_has_an_outcome(first_run: subprocess.CompletedProcess[str]) -> None:
    assert first_run.returncode == 0, first_run.stderr
    assert (
        f"{len(STUDENTS) + MORE + 1} in submitted/: {len(LOSES) + MORE} graded, 0 graded before, {len(NOT_GRADED) + 1} not graded" in first_run.stdout
    )
    assert {student.name for student in STUDENTS} == set(LOSES) | set(NOT_GRADED)


@pytest.mark.parametrize("student", sorted(LOSES))
def test_a_student_gets_the_points_that_are_due(lines: dict[str, dict[str, str]], student: str) -> None:
    line = lines[student]
    earned = {question: float(line[f"{LESSON.assignment}/{question}_test"]) for question in ALL}
    kept = dict.fromkeys(LOSES[student], 0) | KEEPS.get(student, {})
    assert earned == {question: kept.get(question, points) for question, points in ALL.items()}
    assert float(line["score"]) == sum(earned.values())


@pytest.mark.parametrize("lesson", find_lessons(), ids=lambda lesson: lesson.assignment)
def test_all_points_of_every_lesson_can_be_earned_and_an_untouched_release_earns_none(
    course: Course, first_run: subprocess.CompletedProcess[str], lesson: Lesson
) -> None:
    by_hand = sum(cell.metadata.nbgrader.points for cell in map(read_text(lesson).cells.__getitem__, written_answers(read_text(lesson))))
    scores = {line["student"]: float(line["score"]) for line in read_csv(course) if line["assignment"] == lesson.assignment and line["score"]}
    why = (course.root / "gradings" / "clues" / lesson.assignment / "demo-perfect.json").read_text(encoding="utf-8")
    assert scores["demo-perfect"] == total_points(read_text(lesson)) - by_hand, why
    assert scores["demo-empty"] == 0


@pytest.mark.parametrize("student", sorted(NOT_GRADED))
def test_what_could_not_be_graded_is_explained(lines: dict[str, dict[str, str]], first_run: subprocess.CompletedProcess[str], student: str) -> None:
    assert lines[student]["status"] == "not graded"
    assert NOT_GRADED[student] in lines[student]["why"]
    assert NOT_GRADED[student] in first_run.stdout


def test_a_misplaced_file_is_reported(first_run: subprocess.CompletedProcess[str]) -> None:
    assert "submitted/stray.ipynb: a file lies where students' folders are." in first_run.stdout


@pytest.mark.parametrize(
    ("student", "exercise", "answer"),
    [("softmax-over-everything", "softmax", "wrong/over_all_entries"), ("first-sequence-only", "basic_self_attention", "wrong/first_sequence_only")],
    ids=["no points", "points for parts"],
)
def test_the_report_has_the_cause_that_a_check_states(
    course: Course, first_run: subprocess.CompletedProcess[str], student: str, exercise: str, answer: str
) -> None:
    [text] = [one.source for one in find_answers(LESSON) if (one.exercise, one.key) == (exercise, answer)]
    names = {"np": np, "torch": torch}
    exec(text, names)
    with pytest.raises(CheckFailed) as failed:
        getattr(check, exercise)(names[exercise])
    [told] = [
        cause
        for part in make(course, Console(quiet=True)).parts
        for cause in part.causes
        if cause.question.name == f"{exercise}_test" and PREFIX + student in cause.students
    ]
    assert told.is_named and told.title == failed.value.cause.words
    assert f"What helps: {failed.value.cause.next}" in told.saying


def test_written_answers_wait_for_the_instructor(lines: dict[str, dict[str, str]]) -> None:
    assert lines["perfect"]["to_grade_by_hand"] == "1"
    assert lines["empty"]["to_grade_by_hand"] == "0"


def test_a_late_submission_is_marked(lines: dict[str, dict[str, str]], first_run: subprocess.CompletedProcess[str]) -> None:
    assert float(lines["late"]["seconds_late"]) == 45.5 * 3600
    assert float(lines["perfect"]["seconds_late"]) == 0
    assert "late by 46 h" in first_run.stdout


def test_the_table_names_every_graded_student(first_run: subprocess.CompletedProcess[str]) -> None:
    table = [line for line in first_run.stdout.splitlines() if line.startswith("│")]
    assert [line.split("│")[1].strip() for line in table[: len(LOSES)]] == sorted(PREFIX + student for student in LOSES)


def test_feedback_holds_messages_and_no_hidden_test(course: Course, first_run: subprocess.CompletedProcess[str]) -> None:
    secrets = {
        line.strip()
        for cell in read_text(LESSON).cells
        if "BEGIN HIDDEN" in cell.source
        for line in cell.source.split("BEGIN HIDDEN TESTS", 1)[1].splitlines()
        if line.strip().startswith(("assert", "check.on_other_numbers", "scores = np.einsum", "for unknown in"))
    }
    assert len(secrets) > 12
    for student in LOSES:
        page = (course.root / "feedback" / (PREFIX + student) / LESSON.assignment / "basic_attention.html").read_text(encoding="utf-8")
        assert "HIDDEN TESTS" not in page
        text = page.replace("&quot;", '"').replace("&#39;", "'").replace("&#34;", '"')
        assert not [secret for secret in secrets if secret in text]
    page = (course.root / "feedback" / "demo-softmax-over-queries" / LESSON.assignment / "basic_attention.html").read_text(encoding="utf-8")
    assert "you normalised over queries" in page
    assert "Traceback (most recent call last)" not in page


def test_nothing_that_was_handed_in_is_changed(course: Course, first_run: subprocess.CompletedProcess[str], tmp_path: Path) -> None:
    again = Course(course.root)
    again.folders.submitted_directory = str(tmp_path)
    make_class(again)
    for student in STUDENTS:
        path = Path(PREFIX + student.name) / LESSON.assignment / "basic_attention.ipynb"
        assert (course.root / "submitted" / path).read_bytes() == (tmp_path / path).read_bytes()


@pytest.mark.slow
def test_a_second_run_grades_only_what_changed(course: Course, first_run: subprocess.CompletedProcess[str]) -> None:
    before = {line["student"]: line["score"] for line in read_csv(course) if line["assignment"] == LESSON.assignment}
    fresh = course.root / "submitted" / "demo-empty" / LESSON.assignment / "basic_attention.ipynb"
    notebook = nbformat.read(fresh, as_version=4)
    next(
        cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "embed"
    ).source = "def embed(words, vocabulary, table):\n    return table[[vocabulary[word] for word in words]]"
    nbformat.write(notebook, fresh)
    for student in NOT_GRADED:
        shutil.rmtree(course.root / "submitted" / (PREFIX + student))
    second = grade(course)
    assert f"1 graded, {len(LOSES) + MORE - 1} graded before, 1 not graded" in second.stdout
    after = {line["student"]: line["score"] for line in read_csv(course) if line["assignment"] == LESSON.assignment}
    assert float(after["demo-empty"]) == ALL["embed"]
    assert after["demo-perfect"] == before["demo-perfect"]
