"""Calls that a grader makes in one go: what the checks say of an answer is the same as when they are made one after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import nbformat
import pytest

from attnlab.diagnosis import grading
from authoring.answer_files import find_answers
from authoring.answers import fill_in, solution_sources
from authoring.lessons import Lesson
from nbjudge import grade_notebook

LEAST = {"1_basic_attention": 200, "2b_columns": 200, "3_scaling": 200, "4_multi_head": 150}  # calls in one go, where all answers are right


def handed_in(lesson: Lesson, number: int) -> nbformat.NotebookNode:
    """The lesson's own answers; from `number` 1 on, with another wrong one in each exercise that has so many."""
    sources = solution_sources(nbformat.read(lesson.solution, as_version=4))
    wrong = [answer for answer in find_answers(lesson) if not answer.right]
    for exercise in {answer.exercise for answer in wrong} if number else ():
        of_it = [answer for answer in wrong if answer.exercise == exercise]
        sources[exercise] = of_it[number % len(of_it)].source
    return fill_in(nbformat.read(lesson.released, as_version=4), sources)


@pytest.mark.parametrize("number", [0, 1, 4])
@pytest.mark.parametrize("name", LEAST)
def test_verdicts_are_the_same_as_of_calls_one_after_the_other(name: str, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson, made = Lesson(name), Counter[str]()

    def counted(function: str) -> Callable[..., list]:
        several = getattr(grading, function)

        def call(thing: object, each: list) -> list:
            results = several(thing, each)
            made[function] += len(results)
            return results

        return call

    for function in ("together", "in_one_go"):
        monkeypatch.setattr(grading, function, counted(function))
    in_one_go = grade(lesson, number)
    assert made.total() >= (LEAST[name] if number == 0 else 1)
    monkeypatch.setattr(grading, "makes_calls_together", lambda answer: False)
    monkeypatch.setattr(grading, "in_one_go", lambda thing, each: [])
    assert grade(lesson, number) == in_one_go
    assert number or all(points == most for points, most, _ in in_one_go)


def grade(lesson: Lesson, number: int) -> list[tuple[float, float, str]]:
    """Points, points to be had and message of each test."""
    source = nbformat.read(lesson.folder / f"{lesson.name}.ipynb", as_version=4)
    verdicts = grade_notebook(handed_in(lesson, number), source, packages=["attnlab"]).verdicts
    return [(verdict.points, verdict.max_points, verdict.message) for verdict in verdicts]
