"""What lessons 3 and 5 show of their models, trained and made by hand, and how lesson 3 counts steps."""

from __future__ import annotations

from functools import cache

import nbformat
import numpy as np
import pytest

from authoring.answers import Namespace
from authoring.lessons import Lesson


@cache
def solved(assignment: str) -> Namespace:
    return Namespace(nbformat.read(Lesson(assignment).solution, as_version=4))


def test_steps_that_were_never_enough_count_as_infinite() -> None:
    class Stuck:
        def reached(self, goal: float) -> None:
            return None

    assert np.isinf(solved("3_scaling")["steps_needed"]({"as they are · 0": Stuck(), "divided by √d · 0": Stuck()})).all()


def test_a_head_that_has_learned_to_look_something_up_is_saturated_on_the_right_key() -> None:
    lesson = solved("3_scaling")
    start, (trained, _) = lesson["twins"](2), lesson["learn"](2)
    for kind in ("as they are", "divided"):
        fraction, right = lesson["saturation"](trained, kind)
        assert fraction > 0.95 and right > 0.98, kind
    fraction, right = lesson["saturation"](start, "as they are")
    assert 0.7 < fraction < 0.9 and right < 0.3, "one key in eight is right"
    assert lesson["saturation"](start, "divided")[0] < 0.01


def test_some_unscaled_models_keep_a_wrong_key_and_their_twins_do_not() -> None:
    lesson = solved("3_scaling")
    trained, runs = lesson["learn"](4)
    steps = lesson["steps_needed"](runs)
    assert np.isinf(steps[:, 0]).any() and np.isfinite(steps[:, 1]).all()
    assert lesson["saturation"](trained, "as they are")[1] < 0.98 < lesson["saturation"](trained, "divided")[1]


def test_only_with_positions_are_both_sentences_answered() -> None:
    lesson = solved("5_permutation_test")
    models, _ = lesson["learn"](101)
    both = ("dog eats meat", "meat eats dog")
    says = {name: [model(lesson["numbered"](sentence))[0].argmax(-1).tolist() for sentence in both] for name, model in models.items()}
    assert says["with positions"] == [[0, 1], [1, 0]] and says["without positions"][0] == says["without positions"][1]
    rows = [lesson["rows_of_eats"](models["without positions"], sentence) for sentence in both]
    assert np.allclose(rows[0], rows[1][:, ::-1], atol=1e-5), "without positions the weights follow the words"


def test_a_second_layer_lets_the_last_word_decide() -> None:
    lesson = solved("5_permutation_test")
    for last, nearer, other in (("tired", 1, 4), ("heavy", 4, 1)):
        sentence = [*"the dog dropped the bone because it was".split(), last]
        x = np.array([[float(meaning in lesson["meaning_of"].get(word, [])) for meaning in lesson["meanings"]] for word in sentence])
        collected, first = lesson["layer"](x, *lesson["layer_1"])
        _, second = lesson["layer"](collected, *lesson["layer_2"])
        assert first[6, nearer] == pytest.approx(first[6, other]) and first[6].argmax() == 8
        assert second[6, nearer] > 100 * second[6, other] and second[6].argmax() == nearer
