"""What is committed is what the build makes, today and on this machine."""

from __future__ import annotations

import json

import nbformat
import pytest

from authoring.lessons import Lesson, find_lessons, read_text, write_text
from authoring.pairing import pair
from authoring.references import make_references
from authoring.release import release
from authoring.solutions import solve

EACH_LESSON = pytest.mark.parametrize("lesson", find_lessons(), ids=lambda lesson: lesson.assignment)


@EACH_LESSON
def test_released_notebook_is_what_the_text_says(lesson: Lesson) -> None:
    pair(lesson)
    assert nbformat.writes(release(lesson)) + "\n" == lesson.released.read_text(encoding="utf-8"), "run `make build`"


@pytest.mark.slow
@EACH_LESSON
def test_solution_is_what_the_text_gives_when_it_runs(lesson: Lesson) -> None:
    assert nbformat.writes(solve(lesson, read_text(lesson))) + "\n" == lesson.solution.read_text(encoding="utf-8"), "run `make build`"


@EACH_LESSON
def test_references_of_the_checks_are_what_the_answers_give(lesson: Lesson) -> None:
    # through JSON, because nan differs from itself
    assert json.dumps(make_references(lesson, read_text(lesson))) == json.dumps(json.loads(lesson.data.read_text(encoding="utf-8"))), (
        "run `make build`"
    )


@EACH_LESSON
def test_text_survives_a_visit_to_jupyterlab(lesson: Lesson) -> None:
    assert write_text(lesson, read_text(lesson)) == lesson.text.read_text(encoding="utf-8")
