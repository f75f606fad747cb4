"""Small pictures of what a right result means."""

from __future__ import annotations

import re

import numpy as np
import pytest
import torch

from attnlab import figures
from nbjudge import clean_html

TOKENS = ["dog", "eats", "meat"]
VALUES = np.array([[1.0, 0], [0, 2], [4, 4]])


def printed(picture: figures.Picture) -> list[str]:
    return re.findall(r"<td[^>]*>([^<]+)</td>", picture.body)


def test_a_mixture_shows_weights_values_and_their_weighted_sum() -> None:
    picture = figures.mixture(torch.tensor([[1.0, 0, 0], [0.25, 0.5, 0.25]]), torch.tensor(VALUES), query=1)
    assert printed(picture) == ["0.25", "0.5", "0.25", "1", "0", "0", "2", "4", "4", "0.25", "0", "0", "1", "1", "1", "1.25", "2"]
    assert picture.says == "The output of query 1 is 0.5 × value of “1” + 0.25 × value of “0” + 0.25 × value of “2”."


def test_a_mixture_of_long_vectors_prints_the_first_components() -> None:
    picture = figures.mixture([1.0, 0, 0], np.ones((3, 64)), tokens=TOKENS)
    assert printed(picture).count("…") == printed(picture).count("(64)") == 7  # three values, three products, their sum


def test_a_mixture_says_which_shapes_do_not_fit() -> None:
    with pytest.raises(ValueError, match=r"weights of shape \(2,\) do not fit values of shape \(3, 2\): one weight for each row"):
        figures.mixture([0.5, 0.5], VALUES)


def test_words_that_stand_twice_take_the_same_row() -> None:
    picture = figures.word_rows(["the", "dog", "the"], {"dog": 0, "the": 1}, VALUES[[1, 0, 1]])
    assert printed(picture) == ["the", "dog", "the", "row 1", "row 0", "row 1", "0", "2", "1", "0", "0", "2"]
    assert "the same vector: “the” at places 0, 2." in picture.says
    assert "No word stands twice." in figures.word_rows(["dog"], {"dog": 0}, VALUES[:1]).says


def test_every_row_of_scores_stands_beside_its_weights() -> None:
    picture = figures.scores_and_weights(np.array([[2.0, 0, -1], [0, 0, 0]]), np.array([[0.8, 0.2, 0], [0.25, 0.25, 0.5]]), TOKENS)
    assert re.findall(r"<caption[^>]*>([^<]*)<", picture.body) == [
        "query 0: scores",
        "query 0: weights, sum 1",
        "query 1: scores",
        "query 1: weights, sum 1",
    ]
    assert picture.says.endswith("query 0: key dog (0.8), query 1: key meat (0.5).")


def test_named_bars_show_their_values() -> None:
    picture = figures.named_bars({"entropy": [0.5, 1.0], "keys": np.array([1, 2])}, ["a", "b"], "two lists", axis="query")
    assert re.findall(r"</span>([^<]*)</td>", picture.body) == ["0.5", "1", "1", "2"] and picture.says == "two lists"


def test_a_mask_says_who_looks_where() -> None:
    picture = figures.may_look(torch.tensor([[True, False], [True, True]]), ["dog", "eats"])
    assert printed(picture) == ["looks", "−∞", "looks", "looks"] and "key (column)" in picture.body and "query (row)" in picture.body
    assert picture.says.startswith("Who may look where: query “dog” at 1 of 2 keys, query “eats” at 2.")


def test_a_mask_of_other_keys_than_queries_is_numbered() -> None:
    assert figures.may_look(np.ones((2, 3)), ["dog", "eats"]).says.startswith("Who may look where: query “0” at 3 of 3 keys")


def test_verdicts_are_counted() -> None:
    picture = figures.verdicts({"A": True, "B": np.array(0.0), "C": 1.0})
    assert printed(picture) == ["True", "False", "True"] and picture.says == "True for 2 of 3: A, C."


def test_weights_that_would_be_printed_as_zero_are_counted() -> None:
    says = figures.mixture([0.002, 0.997, 0.001], VALUES, tokens=TOKENS).says
    assert says == "The output of query 0 is 1 × value of “eats” + 2 smaller."


@pytest.mark.parametrize(
    "picture",
    [
        figures.mixture([0.2, 0.3, 0.5], VALUES),
        figures.word_rows(["a"], {"a": 0}, VALUES[:1]),
        figures.scores_and_weights(VALUES, VALUES),
        figures.may_look(VALUES),
        figures.verdicts({"A": True}),
        figures.compare("attention_scores", lambda x: x @ x.T),
    ],
    ids=["mixture", "word_rows", "scores_and_weights", "may_look", "verdicts", "compare"],
)
def test_a_feedback_page_keeps_every_look(picture: figures.Picture) -> None:
    shown = picture._repr_mimebundle_()["text/html"]
    kept = clean_html(shown)
    assert [style.rstrip(";") for style in re.findall(r'style="([^"]*)"', kept)] == [
        style.rstrip(";") for style in re.findall(r'style="([^"]*)"', shown)
    ]
    assert re.sub(r"<[^>]*>", "", kept) == re.sub(r"<[^>]*>", "", shown)
