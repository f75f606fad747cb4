"""Who is *it*? The task, why one layer cannot learn it, the stored model that has learned it, and the picture of where it looks."""

from __future__ import annotations

import base64
import re

import numpy as np
import pytest
import torch

from attnlab import figures, training

TIRED, HEAVY = (f"the dog dropped the bone because it was {adjective}" for adjective in ("tired", "heavy"))
TASK, MODEL = training.Coreference(), training.Resolver()
IT, DOG, BONE, LAST = 6, 1, 4, 8


def words_of(tokens: torch.Tensor) -> list[list[str]]:
    return [[TASK.words[number] for number in sentence] for sentence in tokens[..., 0].tolist()]


def letter(sentence: str) -> str:
    """What the stored model answers."""
    x, (first, second) = MODEL.embed(sentence), MODEL.maps(sentence)
    both = np.hstack([x, first @ x @ MODEL.layers[0][2]])
    return MODEL.answer(second @ both @ MODEL.layers[1][2])


def noun_meant(words: list[str]) -> str:
    """By the adjective alone."""
    return next(noun for noun in (words[1], words[4]) if (noun in TASK.animals) == (words[-1] in TASK.of_animals))


def test_the_letter_is_that_of_the_noun_which_the_adjective_suits() -> None:
    tokens, answers = TASK.batch(300, torch.Generator().manual_seed(0))
    assert tokens.shape == (300, 9, 2) and answers.shape == (300, 1)
    for words, (answer,) in zip(words_of(tokens), answers.tolist()):
        assert [words[place] for place in (0, 3, 5, IT, 7)] == ["the", "the", "because", "it", "was"]
        assert TASK.letters[answer] == noun_meant(words)[0]
        assert (words[2] in TASK.by_animals) == (words[1] in TASK.animals) and words[1][0] != words[4][0]


def test_every_letter_begins_one_animal_and_one_thing_and_no_word_is_twice() -> None:
    assert [animal[0] for animal in TASK.animals] == [thing[0] for thing in TASK.things] == sorted(set(TASK.letters))
    assert len(TASK.words) == len(set(TASK.words)) and TASK.vocabulary == len(TASK.words) + 9


def test_all_other_sentences_are_drawn() -> None:
    assert len(TASK._others[0]) == len(TASK._others[0].unique(dim=0)) == 25_152


def test_dog_and_bone_are_held_out() -> None:
    tokens, answers = TASK.held_out
    assert tokens.shape == (192, 9, 2) and len(tokens.unique(dim=0)) == 192
    for words, (answer,) in zip(words_of(tokens), answers.tolist()):
        assert {words[1], words[4]} == {"dog", "bone"} and TASK.letters[answer] == noun_meant(words)[0]
    drawn = TASK.batch(5000, torch.Generator().manual_seed(1))[0]
    assert not any({"dog", "bone"} <= set(words) for words in words_of(drawn))
    assert TIRED.split() in words_of(tokens) and HEAVY.split() in words_of(tokens)


@pytest.mark.parametrize("sentence", ["the dog dropped the bone", TIRED.replace("dog", "dinosaur")])
def test_what_it_cannot_read_is_refused(sentence: str) -> None:
    with pytest.raises(ValueError, match="cannot be read: it takes 9 words out of the because it was bear"):
        TASK.tokens(sentence)


def test_no_single_layer_with_a_linear_readout_answers_more_than_three_of_four() -> None:
    """Two pairs of nouns with the same letters and an adjective of each kind, whatever the parameters are."""
    four = [
        f"the {nouns[0]} dropped the {nouns[1]} because it was {last}" for nouns in (("dog", "bone"), ("bear", "drum")) for last in ("tired", "heavy")
    ]
    tokens = torch.cat([TASK.tokens(sentence) for sentence in four])
    answers, best = [TASK.letters.index(letter) for letter in "dbbd"], 0
    d, b = (TASK.letters.index(letter) for letter in "db")
    for seed in range(300):
        draw = torch.Generator().manual_seed(seed)
        w_query, w_key, w_value, readout = (torch.randn(16, 16, generator=draw) for _ in range(4))
        x = torch.randn(TASK.vocabulary, 16, generator=draw)[tokens].sum(-2)
        mixed = x + torch.softmax(x @ w_query @ (x @ w_key).transpose(-2, -1) / 16, dim=-1) @ x @ w_value
        said = torch.where(mixed[:, IT] @ readout[:, d] > mixed[:, IT] @ readout[:, b], d, b).tolist()
        best = max(best, sum(map(int.__eq__, said, answers)))
    assert best == 3


def test_the_stored_model_knows_who_is_meant() -> None:
    assert (letter(TIRED), letter(HEAVY)) == ("d", "b")
    for tokens, answers in (TASK.held_out, TASK.batch(200, torch.Generator().manual_seed(2))):
        assert [letter(" ".join(words)) for words in words_of(tokens)] == [TASK.letters[answer] for (answer,) in answers.tolist()]


def test_it_looks_at_the_last_word_first_and_then_at_the_noun() -> None:
    (tired_first, tired_second), (heavy_first, heavy_second) = MODEL.maps(TIRED), MODEL.maps(HEAVY)
    for weights in (tired_first, tired_second, heavy_first, heavy_second):
        assert weights.shape == (9, 9) and np.allclose(weights.sum(1), 1)
    assert min(tired_first[IT, LAST], heavy_first[IT, LAST], tired_second[IT, DOG], heavy_second[IT, BONE]) > 0.95
    ratios = [weights[IT, DOG] / weights[IT, BONE] for weights in (tired_first, heavy_first, tired_second, heavy_second)]
    assert np.isclose(ratios[0], ratios[1], rtol=1e-4) and ratios[2] > 10 and ratios[3] < 0.1


def test_a_state_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(ValueError, match="nothing is stored under 'nothing'; there are repeat, names and coreference"):
        training.load("nothing", torch.nn.Identity())


def arcs_of(picture: figures.Picture) -> list[float]:
    """The widths of the curves that a picture draws."""
    drawing = base64.b64decode(re.findall(r"base64,([^\"]+)", picture.body)[0]).decode()
    curves = re.findall(r'd="M[^"]*C[^"]*" clip-path[^>]*fill: none[^>]*stroke-width: ([\d.]+)', drawing)
    return sorted(map(float, curves))


def test_arcs_are_as_thick_as_weights_and_small_ones_are_left_out() -> None:
    picture = figures.arc_diagram(["a b c"], {"layer": torch.tensor([[0.75, 0.247, 0.003]])}, query=2)
    assert arcs_of(picture) == pytest.approx([0.247 * 11, 0.75 * 11], abs=0.01)
    assert picture.says == "Layer: “c” looks most at “a” (0.75) in “a b c”."


def test_a_second_layer_is_drawn_below_the_words() -> None:
    rows = np.eye(3)
    picture = figures.arc_diagram(["a b c", "a b d", "a b e"], {"second": rows, "first": rows[::-1]}, query=1)
    assert arcs_of(picture) == [11.0] * 6
    assert "Second: “b” looks most at “a” (1.00) in “a b c”, at “b” (1.00) in “a b d”, at “e” (1.00) in “a b e”. First: “b” looks" in picture.says
    assert picture.says.replace("“", "") in picture.body.replace("“", "")


@pytest.mark.parametrize(
    ("weights", "query", "says"),
    [
        ({"a": np.ones((1, 2))}, 0, r"a: weights \(1, 2\) do not fit"),
        ({"a": np.ones((1, 3))}, 3, "there is no word 3: choose one from 0 to 2"),
        ({}, 0, "there are 0 arrays of weights"),
    ],
)
def test_arcs_that_cannot_be_drawn_are_refused(weights: dict[str, np.ndarray], query: int, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        figures.arc_diagram(["a b c"], weights, query)
