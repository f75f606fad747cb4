"""Yours beside the target: three panels while they differ, one line and what the result means when they are equal."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any

import nbformat
import numpy as np
import pytest
import torch

from attnlab import figures, reference
from authoring.answer_files import Answer, find_answers
from authoring.answers import Namespace
from authoring.lessons import Lesson, find_lessons

LESSONS = find_lessons()
EQUAL = "attention_scores: yours equals the target, shape (3, 3)."


def right(x: np.ndarray) -> np.ndarray:
    return x @ x.T


def shown(picture: figures.Picture) -> str:
    return picture._repr_mimebundle_()["text/html"]


def drawn(result: Any) -> figures.Picture:
    return figures.weights_heatmap(result, title="what it means", says="The scores, once more.")


def test_a_right_answer_is_one_line_and_its_result() -> None:
    picture = figures.compare("attention_scores", right)
    assert picture.before == EQUAL and shown(picture).count(EQUAL) == 1
    assert shown(picture).index(EQUAL) < shown(picture).index("<table")
    assert picture._repr_mimebundle_()["text/plain"] == f"[picture] {EQUAL} Your result for the three tokens of the card."
    assert re.findall(r"<caption[^>]*>([^<]*)<", picture.body) == ["your result"]
    assert re.findall(r"<td[^>]*>([^<]+)</td>", picture.body) == ["2", "0", "2", "0", "8", "4", "2", "4", "4"]


def test_a_difference_that_is_rounding_counts_as_equal() -> None:
    assert figures.compare("attention_scores", lambda x: x @ x.T + 1e-5).before == EQUAL


def test_what_a_right_result_means_takes_the_place_of_the_panels() -> None:
    picture = figures.compare("attention_scores", right, means=drawn)
    assert picture.before == EQUAL and picture.says == "The scores, once more."
    assert "what it means" in picture.body and "your result" not in picture.body and "target" not in picture.body


def test_it_is_given_the_result_and_cannot_change_it() -> None:
    seen = []

    def spoils(result: np.ndarray) -> None:
        seen.append(result.copy())
        result[:] = 99

    picture = figures.compare("attention_scores", right, means=spoils)
    assert np.array_equal(seen[0], reference.cases("attention_scores")[0].expected) and "99" not in re.findall(r">([^<]+)</td>", picture.body)
    assert picture.before == EQUAL and "your result" in picture.body


def test_it_is_given_a_tensor_that_layers_have_made() -> None:
    """torch refuses to copy such a tensor as it is."""
    one = torch.ones(1, requires_grad=True)

    def attention(x: torch.Tensor) -> torch.Tensor:
        return one * (torch.softmax(x @ x.mT, dim=-1) @ x)

    given = []
    figures.compare("basic_self_attention", attention, means=given.append)
    assert not given[0].requires_grad
    assert np.allclose(given[0].numpy(), reference.cases("basic_self_attention")[0].expected.numpy())


def test_a_meaning_that_raises_does_not_hide_that_they_are_equal() -> None:
    picture = figures.compare("attention_scores", right, means=lambda result: {}[result.shape])
    assert picture.before == EQUAL and "your result" in picture.body
    assert picture.says == "Your result for the three tokens of the card. The picture of what it means is missing: it raised KeyError."


def unwritten(x: np.ndarray) -> None:
    raise NotImplementedError


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda x: x @ x.T + 0.25, "the largest difference is 0.25"),
        (lambda x: x.T @ x, "yours has another shape: (4, 4) instead of (3, 3)"),
        (lambda x: (x @ x.T)[None], "yours has another shape: (1, 3, 3) instead of (3, 3)"),
        (lambda x: x @ x, "yours raised ValueError"),
        (lambda x: np.full((3, 3), np.nan), "yours holds nan or inf"),
        (lambda x: None, "yours returns nothing"),
        (unwritten, "not written yet"),
        (lambda x: "scores", "yours raised ValueError"),
    ],
)
def test_a_wrong_answer_is_drawn_and_described_and_means_nothing(answer: Callable, says: str) -> None:
    asked = []
    picture = figures.compare("attention_scores", answer, means=asked.append)
    assert picture.says == f"attention_scores: {says}." and not picture.before and not asked
    assert picture.body.count("target") == 2


def test_parts_are_named_in_the_line_and_where_one_is_wrong() -> None:
    expected = reference.cases("query_key_value")[0].expected
    picture = figures.compare("query_key_value", lambda *inputs: expected)
    assert picture.before == ("query_key_value: yours equals the target, query: shape (4, 1), key: shape (4, 1), value: shape (4, 1).")
    flat = figures.compare("query_key_value", lambda *inputs: (expected[0], expected[1][:, 0], expected[2]))
    assert flat.says == "query_key_value: key: yours has another shape: (4,) instead of (4, 1)."
    assert figures.compare("query_key_value", lambda *inputs: expected[:2]).says == "query_key_value: yours has 2 parts instead of 3."
    keys = figures.compare("query_key_value", lambda *inputs: (expected[0], expected[1] + 1, expected[2]))
    assert keys.says == "query_key_value: the largest difference is 1."


def test_matrices_of_a_tuple_stand_one_under_the_other_and_say_which_differs() -> None:
    output, attention = reference.cases("self_attention")[0].expected
    picture = figures.compare("self_attention", lambda *inputs: (output, attention + 0.5))
    assert picture.says == "self_attention: X_prime: yours and the target are equal; attention: the largest difference is 0.5."
    assert not picture.before


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.assignment)
def test_every_exercise_of_a_solution_is_equal(lesson: Lesson) -> None:
    namespace = Namespace(nbformat.read(lesson.solution, as_version=4))
    compared = re.findall(r'figures\.compare\("(\w+)"', lesson.text.read_text(encoding="utf-8"))
    assert len(compared) >= 2
    for exercise in compared:
        picture = figures.compare(exercise, namespace[exercise])
        assert picture.before.startswith(f"{exercise}: yours equals the target, ")
        assert "your result" in picture.body and picture.says == f"Your result for {reference.cases(exercise)[0].label}."


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer",
    [answer for answer in find_answers(LESSONS[0]) if answer.exercise != "fault_lines"],
    ids=lambda answer: f"{answer.exercise}-{answer.name}",
)
def test_no_answer_of_lesson_1_breaks_its_picture(answer: Answer, lesson: Lesson = LESSONS[0]) -> None:
    with warnings.catch_warnings(action="ignore"):
        namespace = Namespace(nbformat.read(lesson.solution, as_version=4), answer)
        picture = figures.compare(answer.exercise, namespace[answer.exercise])
    assert f"{picture.before} {picture.says}".strip().startswith(answer.exercise)
