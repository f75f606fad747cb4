"""Pictures are drawn for every answer, right or wrong, and say in words what they show."""

from __future__ import annotations

import re
import warnings

import nbformat
import numpy as np
import pytest

from attnlab import figures
from authoring.answer_files import Answer, find_answers
from authoring.answers import Namespace
from authoring.lessons import Lesson, find_lessons

TOKENS = ["dog", "eats", "meat"]
WEIGHTS = np.array([[0.5, 0.25, 0.25], [0.1, 0.8, 0.1], [0.0, 0.0, 1.0]])
LESSON_1 = find_lessons()[0]


def printed(picture: figures.Picture) -> list[str]:
    return re.findall(r"<td[^>]*>([^<]*)</td>", picture.body)


def test_a_picture_carries_its_text_alternative() -> None:
    shown = figures.weights_heatmap(WEIGHTS, TOKENS)._repr_mimebundle_()
    assert "<figcaption>Attention weights. Each row is one query. The largest weight of each: dog → dog 0.5, " in shown["text/html"]
    assert shown["text/plain"].startswith("[picture] Attention weights.")


def test_a_plot_carries_its_text_alternative() -> None:
    picture = figures.gradient_bands([1, 4], [np.array([0.3, 0.4, 0.9]), np.array([0, 0.2, 3])], [np.ones(3), np.ones(3)])
    assert "From d = 1 to 4 the median goes from 0.4 to 0.2 without scaling, from 1 to 1 with it." in picture.body


def test_the_heatmap_shows_the_numbers_that_it_is_given() -> None:
    assert printed(figures.weights_heatmap(WEIGHTS, TOKENS)) == ["", "0.5", "0.25", "0.25", "1", "0.1", "0.8", "0.1", "1", "0", "0", "1", "1"]


def test_the_same_picture_has_the_same_bytes() -> None:
    assert figures.weights_heatmap(WEIGHTS, TOKENS).body == figures.weights_heatmap(WEIGHTS, TOKENS).body


def test_a_screen_reader_finds_the_names_of_rows_and_columns() -> None:
    body = figures.weights_heatmap(WEIGHTS, ["<b>", "eats", "meat"]).body
    assert "<caption" in body and "<b>" not in body
    assert len(re.findall('<th scope="row"[^>]*>&lt;b&gt;</th>', body)) == len(re.findall('<th scope="col"[^>]*>&lt;b&gt;</th>', body)) == 1


def test_a_difference_that_is_rounding_stays_white() -> None:
    body = figures.compare("attention_scores", lambda x: x @ x.T + 1e-5).body
    assert body.count("background:#f6f6f6;color:#000") == 9


def test_many_numbers_become_one_image() -> None:
    body = figures.weights_heatmap(np.full((40, 40), 1 / 40)).body
    assert "<td" not in body and 'alt="attention weights: 40 × 40 numbers from 0.03 to 0.03"' in body


def test_bars_are_as_long_as_their_values() -> None:
    body = figures.temperature([0.0, 0.0], 1.0, ["<a>", "b"]).body
    assert re.findall(r"width:([\d.]+)em;height", body) == ["4.00", "4.00"]
    assert re.findall(r"</span>([^<]*)</td>", body) == ["0.5", "0.5"]
    assert '<th scope="row"' in body and "&lt;a&gt;" in body and "<a>" not in body


def test_a_bar_below_zero_goes_to_the_left() -> None:
    body = figures.score_strip(np.array([[-1.0, 3.0, np.nan]]), np.array([[0.1, 0.8, 0.1]]), TOKENS, query=0).body
    bars = re.findall(r"margin:0 6px 0 ([\d.]+)em;width:([\d.]+)em", body)[:3]
    assert bars == [("0.00", "3.50"), ("3.50", "10.50"), ("3.50", "0.10")]


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
    assert picture.body.count("target") == 2


@pytest.mark.parametrize("answer", [answer for answer in find_answers(LESSON_1) if answer.exercise != "fault_lines"],
                         ids=lambda answer: f"{answer.exercise}-{answer.name}")
def test_no_answer_of_lesson_1_breaks_its_picture(answer: Answer, lesson: Lesson = LESSON_1) -> None:
    with warnings.catch_warnings(action="ignore"):
        namespace = Namespace(nbformat.read(lesson.solution, as_version=4), answer)
        assert figures.compare(answer.exercise, namespace[answer.exercise]).says.startswith(answer.exercise)
