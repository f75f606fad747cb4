"""What lessons 3, 5 and 5b show of their trained models, and how lesson 3 counts steps."""

from __future__ import annotations

from functools import cache

import nbformat
import numpy as np
import torch

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
    for seed in (0, 101):
        models, _ = lesson["learn"](seed)
        right = {name: lesson["right_on_all"](model) for name, model in models.items()}
        assert right["with positions"].all() and right["learned positions"].all()
        without, swapped = right["without positions"], lesson["swapped"]
        assert not (without & without[swapped]).any() and without.sum() <= 28, "of both orders of two words, one at most"
        rows = [lesson["rows_of_eats"](models["without positions"], sentence) for sentence in ("dog eats meat", "meat eats dog")]
        assert np.allclose(rows[0], rows[1][:, ::-1], atol=1e-5), "without positions the weights follow the words"


def test_positions_that_were_not_trained_are_not_understood() -> None:
    lesson = solved("5_permutation_test")
    for seed in (0, 101):
        model = lesson["learn"](seed)[0]["with positions"]
        model.attention.positions = torch.from_numpy(lesson["positional_encoding"](8, 32)[5:]).float()
        assert lesson["right_on_all"](model).sum() < 28, "more than half of the 56 are wrong"


def test_rotary_positions_do_not_notice_a_shift() -> None:
    lesson = solved("5b_rotary_positions")
    for seed in (0, 101):
        model = lesson["learn_rotary"](seed)[0]["rotary positions"]
        for first in (0, 5, 1000):
            model.attention.positions = np.arange(first, first + 3)
            assert lesson["right_on_all"](model).all()
        model.attention.positions = [0, 3, 6]
        assert lesson["right_on_all"](model).sum() < 45, "distances that it has not learned"
