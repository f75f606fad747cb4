"""Pictures are drawn for every answer, right or wrong, and say in words what they show."""

from __future__ import annotations

import re

import numpy as np

from attnlab import figures

TOKENS = ["dog", "eats", "meat"]
WEIGHTS = np.array([[0.5, 0.25, 0.25], [0.1, 0.8, 0.1], [0.0, 0.0, 1.0]])


def printed(picture: figures.Picture) -> list[str]:
    return re.findall(r"<td[^>]*>([^<]*)</td>", picture.body)


def test_a_picture_carries_its_text_alternative() -> None:
    shown = figures.weights_heatmap(WEIGHTS, TOKENS)._repr_mimebundle_()
    assert "<figcaption>Attention weights. Each row is one query. The largest weight of each: dog → dog (0.5), " in shown["text/html"]
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


def test_many_numbers_become_one_image() -> None:
    body = figures.weights_heatmap(np.full((40, 40), 1 / 40)).body
    assert "<td" not in body and 'alt="attention weights: 40 × 40 numbers from 0.03 to 0.03"' in body


def test_bars_are_as_long_as_their_values() -> None:
    body = figures.temperature([0.0, 0.0], 1.0, ["<a>", "b"]).body
    assert re.findall(r"width:([\d.]+)em;height", body) == ["4.00", "4.00"]
    assert re.findall(r"</span>([^<]*)</td>", body) == ["0.5", "0.5"]
    assert '<th scope="row"' in body and "&lt;a&gt;" in body and "<a>" not in body


def test_a_bar_below_zero_goes_to_the_left() -> None:
    body = figures.scores_and_weights(np.array([[-1.0, 3.0, np.nan]]), np.array([[0.1, 0.8, 0.1]]), TOKENS).body
    bars = [(float(left), float(length)) for left, length in re.findall(r"margin:0 6px 0 ([\d.]+)em;width:([\d.]+)em", body)[:3]]
    assert bars[0] == (0, bars[1][0]) and abs(bars[1][1] - 3 * bars[0][1]) < 0.05 and bars[2][0] == bars[1][0]


def test_a_tie_names_all_that_tie() -> None:
    tied = np.array([[0.47, 0.06, 0.47], [0.1, 0.8, 0.1], [1 / 3, 1 / 3, 1 / 3]])
    assert "dog → dog and meat (0.47), eats → eats (0.8), meat → all alike (0.33)." in figures.weights_heatmap(tied, TOKENS).says
    assert "query 0: key 0 and 2 (0.47)" in figures.scores_and_weights(tied, tied).says
