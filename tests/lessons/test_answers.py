"""Every answer in `source/*/answers` earns what it deserves, and every wrong one is told why.

Test cells meet the answers in one warm process, each in a namespace of its own, so that hundreds take about a minute. A sample
of the same answers goes through the whole grader in `tests/grading`.
"""

from __future__ import annotations

import re
import warnings
from functools import cache

import nbformat
import pytest
from nbformat import NotebookNode

from authoring.answer_files import Answer, find_answers
from authoring.answers import Namespace, fill_in, run_test, solution_sources
from authoring.exercises import find_exercises
from authoring.lessons import Lesson, find_lessons, grade_id, read_text

LESSONS = find_lessons()
ANSWERS = [(lesson, answer) for lesson in LESSONS for answer in find_answers(lesson)]
PART = re.compile(r"^  ([✓✗]) (\S.*?) +[\d.]+ of \d", re.MULTILINE)  # of the grade
MARK = re.compile(r"(?:^  |, )([✓✗]) ([^,\n]+)", re.MULTILINE)  # of the check in the notebook
EACH_LESSON = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.assignment)


@cache
def submission(lesson: Lesson) -> NotebookNode:
    """The released notebook with the lesson's own answers typed in."""
    released = nbformat.read(lesson.released, as_version=4)
    return fill_in(released, solution_sources(nbformat.read(lesson.solution, as_version=4)))


@cache
def graded_cells(lesson: Lesson) -> dict[str, list[tuple[str, int]]]:
    """For each exercise, its test cells with their hidden tests, and their points."""
    source = read_text(lesson)
    return {
        exercise.name: [(source.cells[test].source, source.cells[test].metadata.nbgrader.points) for test in exercise.tests]
        for exercise in find_exercises(source)
    }


def grade(lesson: Lesson, answer: Answer) -> tuple[float, float, str]:
    """Points earned, points to be had, and everything that the visible checks said."""
    namespace = Namespace(submission(lesson), answer)
    earned, possible, said = 0, 0, []
    for source, points in graded_cells(lesson)[answer.exercise]:
        got, text = run_test(source, points, namespace)
        possible += points
        earned += got
        said.append(text)
    return earned, possible, "\n".join(said)


@pytest.mark.parametrize(
    ("lesson", "answer"), ANSWERS, ids=lambda value: getattr(value, "assignment", None) or f"{value.exercise}-{value.key.replace('/', '-')}"
)
def test_answer_earns_what_it_deserves(lesson: Lesson, answer: Answer) -> None:
    with warnings.catch_warnings(action="ignore"):
        earned, possible, said = grade(lesson, answer)
    if answer.right:
        assert earned == possible, f"{answer.place}: a right answer lost points: {said}"
        return
    assert earned < possible, f"{answer.place}: a wrong answer kept its points: {answer.wrong}"
    assert answer.earns in (None, earned), f"{answer.place}: it earns {earned}: {said}"
    parts, said_there = dict(map(reversed, PART.findall(said))), said.partition(f"✗ {answer.exercise}, ")[2].partition("observed")[0]
    marks = MARK.findall(said_there)
    assert marks or not said_there or " step " in f" {said_there}" or "on other numbers" in said_there, said
    lost = [part for mark, part in marks if (mark, parts.get(part)) == ("✓", "✗")]
    assert lost == [], f"{answer.place}: these parts stand in the notebook: {said}"
    if answer.is_hidden_only:
        assert f"✗ {answer.exercise}" not in said, f"{answer.place}: the visible check does see it: {said}"
    else:
        assert "✗" in said or "○" in said, f"{answer.place}: no visible check complains: {said}"
        assert answer.says in " ".join(said.split()), f"{answer.place}: expected {answer.says!r} in: {said}"


@EACH_LESSON
def test_each_exercise_has_enough_answers(lesson: Lesson) -> None:
    assert {answer.exercise for answer in find_answers(lesson)} <= set(graded_cells(lesson)), "a file is named after no exercise"
    for name in graded_cells(lesson):
        right = [answer for answer in find_answers(lesson) if answer.exercise == name and answer.right]
        wrong = [answer for answer in find_answers(lesson) if answer.exercise == name and not answer.right]
        assert len(right) >= 6, f"{name} has {len(right)} right answers"
        assert len(wrong) >= 4, f"{name} has {len(wrong)} wrong answers"


@EACH_LESSON
def test_untouched_release_earns_nothing(lesson: Lesson) -> None:
    untouched = Namespace(nbformat.read(lesson.released, as_version=4))
    for name, cells in graded_cells(lesson).items():
        for source, points in cells:
            earned, _ = run_test(source, points, untouched)
            assert earned == 0, f"the test of {name} passes on the untouched notebook"


@pytest.mark.slow
@EACH_LESSON
def test_solution_earns_everything(lesson: Lesson) -> None:
    solved = Namespace(submission(lesson))
    for name, cells in graded_cells(lesson).items():
        for source, points in cells:
            earned, said = run_test(source, points, solved)
            assert earned == points, f"the lesson's own answer to {name} fails: {said}"


@EACH_LESSON
def test_released_notebook_has_the_same_cells_as_the_text(lesson: Lesson) -> None:
    released = nbformat.read(lesson.released, as_version=4)
    assert list(map(grade_id, released.cells)) == list(map(grade_id, read_text(lesson).cells))
