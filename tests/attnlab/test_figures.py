"""Pictures are drawn for every answer, right or wrong, and say in words what they show."""

from __future__ import annotations

import io
import warnings

import nbformat
import numpy as np
import pytest
from PIL import Image

from attnlab import figures
from authoring.answers import Answer, Namespace, find_answers
from authoring.lessons import Lesson, find_lessons

TOKENS = ["dog", "eats", "meat"]
WEIGHTS = np.array([[0.5, 0.25, 0.25], [0.1, 0.8, 0.1], [0.0, 0.0, 1.0]])
LESSON_1 = find_lessons()[0]


def pixels(picture: figures.Picture) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(picture.png())).convert("RGB"))


def test_a_picture_carries_its_text_alternative() -> None:
    shown = figures.weights_heatmap(WEIGHTS, TOKENS)._repr_mimebundle_()
    assert 'alt="Attention weights. Each row is one query. The largest weight of each: dog → dog 0.5, ' in shown["text/html"]
    assert shown["text/plain"].startswith("[picture] Attention weights.")


def test_the_heatmap_shows_the_numbers_that_it_is_given() -> None:
    assert not np.array_equal(pixels(figures.weights_heatmap(WEIGHTS, TOKENS)), pixels(figures.weights_heatmap(WEIGHTS.T, TOKENS)))


def test_the_same_picture_has_the_same_bytes() -> None:
    assert figures.weights_heatmap(WEIGHTS, TOKENS).png() == figures.weights_heatmap(WEIGHTS, TOKENS).png()


def test_the_score_strip_names_the_strongest_key() -> None:
    assert "the largest weight is on “eats”" in figures.score_strip(WEIGHTS, WEIGHTS, TOKENS, query=1).says


def test_a_right_answer_shows_no_difference() -> None:
    assert figures.compare("attention_scores", lambda x: x @ x.T).says == "attention_scores: yours and the target are equal."


@pytest.mark.parametrize(("answer", "says"), [
    (lambda x: x @ x.T + 0.25, "the largest difference is 0.25"),
    (lambda x: x.T @ x, "yours has another shape: (4, 4) instead of (3, 3)"),
    (lambda x: x @ x, "yours raised ValueError"),
    (lambda x: np.full((3, 3), np.nan), "yours holds nan or inf"),
    (lambda x: None, "yours returns nothing"),
])
def test_a_wrong_answer_is_drawn_and_described(answer: object, says: str) -> None:
    picture = figures.compare("attention_scores", answer)
    assert says in picture.says
    assert pixels(picture).shape[2] == 3


@pytest.mark.parametrize("answer", [answer for answer in find_answers(LESSON_1) if answer.exercise != "fault_lines"],
                         ids=lambda answer: f"{answer.exercise}-{answer.path.stem}")
def test_no_answer_of_lesson_1_breaks_its_picture(answer: Answer, lesson: Lesson = LESSON_1) -> None:
    with warnings.catch_warnings(action="ignore"):
        namespace = Namespace(nbformat.read(lesson.solution, as_version=4), answer)
        assert figures.compare(answer.exercise, namespace[answer.exercise]).says.startswith(answer.exercise)
