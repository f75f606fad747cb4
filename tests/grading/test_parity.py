"""The grader gives the same points as the plain run of the same test cells, for right and for wrong answers.

`tests/lessons/test_answers.py` runs the tests in one process with the answers: no kernel, no wire, no sandbox. Here the same
answers go through the grader, in a notebook trimmed to the cells that compute: what draws and the tests of other exercises
are left out.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import nbformat
import pytest
from _pytest.mark import ParameterSet
from nbformat import NotebookNode

from authoring.answer_files import Answer, answers_to, find_answers
from authoring.answers import DRAWS, Namespace, fill_in, needed_for, run_test, solution_sources
from authoring.exercises import find_exercises
from authoring.lessons import Lesson, find_lessons, read_text
from nbjudge import Execution, is_test
from nbjudge.testing.steps import Instructor, Job, Pool, execute, grade_id

# Of each exercise, spread over the list. `make test-all` takes every right answer, and `parity.py` all.
RIGHT, WRONG = 1, 1


def _spread(answers: list[Answer], count: int) -> list[Answer]:
    """At most `count` of the answers, at even distances."""
    return answers if len(answers) <= count else [answers[number * len(answers) // count] for number in range(count)]


def name_of(lesson: Lesson, answer: Answer) -> str:
    """The answer's place: lesson, exercise, right or wrong, name."""
    return f"{lesson.assignment}/{answer.exercise}/{answer.key}"


def _chosen(lesson: Lesson) -> Iterator[ParameterSet]:
    """Every right answer to each exercise of a lesson, and some wrong ones; most of them for `make test-all`."""
    answers = find_answers(lesson)
    for exercise in dict.fromkeys(answer.exercise for answer in answers):
        right, wrong = ([answer for answer in answers if answer.exercise == exercise and answer.right == which] for which in (True, False))
        sample = [*_spread(right, RIGHT), *_spread(wrong, WRONG)]
        for answer in [*sample, *(one for one in right if one not in sample)]:
            yield pytest.param(lesson, answer, id=name_of(lesson, answer), marks=() if answer in sample else pytest.mark.slow)


ANSWERS = [parameters for lesson in find_lessons() for parameters in _chosen(lesson)]


@cache
def solved(lesson: Lesson) -> NotebookNode:
    """The released notebook with the lesson's own answers typed in."""
    return fill_in(nbformat.read(lesson.released, as_version=4), solution_sources(nbformat.read(lesson.solution, as_version=4)))


@cache
def source_of(lesson: Lesson, exercise: str) -> NotebookNode:
    """The instructor's answer to one exercise, which says what an answer may change, and its test cells."""
    source = read_text(lesson)
    found = next(found for found in find_exercises(source) if found.name == exercise)
    source.cells = [source.cells[index] for index in (found.solution, *found.tests)]
    return source


def instructor_of(lesson: Lesson, exercise: str) -> Instructor:
    """The same for the grader, with the cells that the exercise needs: what an answer may change is seen where the lesson's own runs."""
    tests = {grade_id(cell): cell for cell in source_of(lesson, exercise).cells if is_test(cell)}
    notebook = _needed(lesson, exercise, solved(lesson))
    notebook.cells = [tests.get(grade_id(cell), cell) for cell in notebook.cells]
    return Instructor(notebook, complete=False)


def trimmed(lesson: Lesson, answer: Answer) -> NotebookNode:
    """What a student hands in, with no more cells than the exercise needs, and its tests."""
    return _needed(lesson, answer.exercise, fill_in(solved(lesson), {answer.exercise: answer.source}))


def _needed(lesson: Lesson, exercise: str, whole: NotebookNode) -> NotebookNode:
    notebook = copy.deepcopy(whole)
    wanted = {grade_id(cell) for cell in source_of(lesson, exercise).cells}
    code = [
        (index, cell.source, grade_id(cell))
        for index, cell in enumerate(notebook.cells)
        if cell.cell_type == "code" and not is_test(cell) and (grade_id(cell) == exercise or not DRAWS.search(cell.source))
    ]
    needed = {index for index, _, _ in needed_for(code, exercise)}
    notebook.cells = [cell for index, cell in enumerate(notebook.cells) if index in needed or grade_id(cell) in wanted]
    return notebook


def points_in_one_process(lesson: Lesson, answer: Answer) -> dict[str, float]:
    """Points of each test cell when it runs beside the answer, with nothing in between."""
    with warnings.catch_warnings(action="ignore"):
        namespace = Namespace(solved(lesson), answer)
        cells = [cell for cell in source_of(lesson, answer.exercise).cells if is_test(cell)]
        return {grade_id(cell): run_test(cell.source, cell.metadata.nbgrader.points, namespace)[0] for cell in cells}


@pytest.fixture(scope="module")
def chosen(request: pytest.FixtureRequest) -> list[tuple[Lesson, Answer]]:
    """The answers that this run asks about."""
    parameters = [getattr(item, "callspec", None) for item in request.session.items if item.path == request.path]
    return [(about.params["lesson"], about.params["answer"]) for about in parameters if about and "answer" in about.params]


@pytest.fixture(scope="module")
def executions(chosen: list[tuple[Lesson, Answer]]) -> dict[str, Execution]:
    """What the grader says to each of them, on all cores."""
    with Pool(packages=("attnlab",)) as pool:
        return dict(
            pool.run(Job(name_of(lesson, answer), trimmed(lesson, answer), instructor_of(lesson, answer.exercise)) for lesson, answer in chosen)
        )


@pytest.mark.parametrize(("lesson", "answer"), ANSWERS)
def test_points_are_those_of_a_plain_run(executions: dict[str, Execution], lesson: Lesson, answer: Answer) -> None:
    result = executions[name_of(lesson, answer)]
    points = {verdict.grade_id: verdict.points for verdict in result.verdicts}
    possible = {grade_id(cell): cell.metadata.nbgrader.points for cell in source_of(lesson, answer.exercise).cells if is_test(cell)}
    # That a plain run gives a right answer all points is asked in `tests/lessons/test_answers.py`.
    plain = possible if answer.right else points_in_one_process(lesson, answer)
    assert points == plain, [verdict.message for verdict in result.verdicts]
    assert answer.right or sum(points.values()) < sum(possible.values())


@pytest.mark.slow
def test_judged_again_by_what_was_said_everything_is_as_it_was(executions: dict[str, Execution], chosen: list[tuple[Lesson, Answer]]) -> None:
    """In other processes, which number and order things of their own in another way."""
    with Pool(packages=("attnlab",)) as pool:
        again = dict(
            pool.run(
                Job(name, trimmed(lesson, answer), instructor_of(lesson, answer.exercise), before=executions[name].conversation)
                for lesson, answer in chosen
                if executions[name := name_of(lesson, answer)].conversation
            )
        )
    assert len(again) > len(executions) * 0.9
    assert sum(execution.conversation is None for execution in again.values()) > len(again) * 0.9, "cells were executed"
    for name, execution in again.items():
        before = executions[name]
        assert [replace(verdict, seconds=0) for verdict in execution.verdicts] == [replace(verdict, seconds=0) for verdict in before.verdicts], name
        assert execution.conversation or execution.notebook == before.notebook, name


@pytest.mark.parametrize(
    ("exercise", "key"),
    [
        ("attention_weights", "over_queries"),
        ("softmax", "without_maximum"),
        ("softmax", "prints_instead"),
        ("basic_self_attention", "over_queries"),
        ("attention_scores", "feature_scores"),
    ],
)
def test_the_visible_check_says_there_what_it_says_in_the_notebook(warm, exercise: str, key: str) -> None:
    lesson = find_lessons()[0]
    answer = answers_to(lesson, exercise)[f"wrong/{key}"]
    [verdict] = execute(trimmed(lesson, answer), instructor_of(lesson, exercise), warm).verdicts
    said = " ".join(f"{verdict.message} {verdict.printed}".split())
    assert f"✗ {exercise}, step" in said
    assert (answer.likely or "observed") in said
    assert "Error" not in said


def test_a_changed_argument_is_named_by_the_visible_check(warm) -> None:
    lesson = find_lessons()[0]
    answer = answers_to(lesson, "softmax")["wrong/changes_input"]
    [verdict] = execute(trimmed(lesson, answer), instructor_of(lesson, "softmax"), warm).verdicts
    assert verdict.message.startswith("`softmax` changed its argument")
    assert "Work on a copy" in verdict.message
    assert "WorkFault" not in verdict.message
