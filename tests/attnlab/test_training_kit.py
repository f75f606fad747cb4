"""The kit that lessons train with: its tasks have the answers that they say, models learn what can be learned, and it ends in time."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from matplotlib.figure import Figure
from torch import Tensor, nn

from attnlab import figures, training
from attnlab.figures.training import _rows
from attnlab.figures.training import training as picture_of

TASKS = [training.NextLetter(), training.TwoQuestions(), training.WhoEats()]


class Mixer(nn.Module):
    """One head, written here without the course's names, so that what is learned is learned by an attention."""

    def __init__(self, d: int, symmetric: bool = False):
        super().__init__()
        self.a, self.b, self.c = (nn.Linear(d, d, bias=False) for _ in "abc")
        if symmetric:
            self.b = self.a

    def forward(self, x: Tensor) -> Tensor:
        return nn.functional.scaled_dot_product_attention(self.a(x), self.b(x), self.c(x))


def batch(task: training.NextLetter, size: int = 50) -> tuple[list, list]:
    return tuple(tensor.tolist() for tensor in task.batch(size, torch.Generator().manual_seed(3)))


def test_the_next_letter_has_the_answer() -> None:
    for tokens, answers in zip(*batch(training.NextLetter())):
        digit_of = {letter: digit - 8 for letter, digit in tokens}
        assert sorted(digit_of) == list(range(8)) and set(digit_of.values()) <= set(range(10))
        assert answers == [digit_of[(letter + 1) % 8] for letter, _ in tokens]


def test_letters_in_order_stand_in_order() -> None:
    letters = training.NextLetter(letters=4)
    assert letters.in_order([5, 0, 9, 1]).tolist() == [[[0, 9], [1, 4], [2, 13], [3, 5]]]


def test_two_questions_are_answered_in_their_order() -> None:
    for tokens, answers in zip(*batch(training.TwoQuestions())):
        thing_of = {name: thing - 24 for name, thing in tokens[:-1]}
        first, second = tokens[-1][0] - 48, tokens[-1][1] - 72
        assert len(thing_of) == 8 and first != second
        assert answers == [thing_of[first], thing_of[second]]


def test_who_eats_stands_in_front() -> None:
    for tokens, answers in zip(*batch(training.WhoEats())):
        assert tokens[1] == [8] and [tokens[0][0], tokens[2][0]] == answers and answers[0] != answers[1]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: type(task).__name__)
def test_batches_are_new_each_time_and_the_same_for_a_seed(task: training.NextLetter) -> None:
    draw = torch.Generator().manual_seed(0)
    first, second = task.batch(64, draw), task.batch(64, draw)
    again = task.batch(64, torch.Generator().manual_seed(0))
    assert not torch.equal(first[0], second[0])
    assert all(map(torch.equal, first, again))
    assert int(first[0].max()) < task.vocabulary and int(first[1].max()) < task.classes and first[1].shape == (64, task.questions)


def test_what_can_be_learned_is_learned_and_what_cannot_is_not() -> None:
    """Equal scores both ways around the circle leave at least one of the eight letters without its answer, by an argument of lesson 2."""
    task = training.NextLetter()
    torch.manual_seed(0)
    models = {"two projections": training.Reader(Mixer(32), task, 32), "one": training.Reader(Mixer(32, symmetric=True), task, 32)}
    runs = training.train(models, task, steps=150)
    assert runs["two projections"].final > 0.99 and runs["two projections"].by_question.min() > 0.95
    assert runs["one"].final < 0.95 and runs["one"].by_question.min() < 0.6
    assert runs["two projections"].reached(0.95) <= 150 and runs["one"].reached(0.95) is None


def test_a_question_that_nobody_asks_has_no_part_in_the_answer() -> None:
    """Where one token answers several questions, a sequence is right when all of them are."""
    task = training.WhoEats()
    torch.manual_seed(0)
    (run,) = training.train({"no places": training.Reader(Mixer(16), task, 16)}, task, steps=200).values()
    assert run.final < 0.6 and run.by_question.shape == (2,)
    assert run.final <= run.by_question.min()


def test_the_time_box_ends_it_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    task = training.WhoEats()
    (run,) = training.train({"short": training.Reader(Mixer(16), task, 16)}, task, steps=100, seconds=0).values()
    assert "Stopped after 0 s, at step 1 of 100." in capsys.readouterr().out
    assert 0 <= run.final <= 1


def test_in_time_nothing_is_said_and_the_threads_are_as_before(capsys: pytest.CaptureFixture[str]) -> None:
    threads = torch.get_num_threads()
    task = training.WhoEats()
    training.train({"short": training.Reader(Mixer(16), task, 16)}, task, steps=3)
    assert capsys.readouterr().out == ""
    assert torch.get_num_threads() == threads


def test_the_same_seeds_give_the_same_run() -> None:
    task, runs = training.WhoEats(), []
    for _ in range(2):
        torch.manual_seed(4)
        (run,) = training.train({"one": training.Reader(Mixer(16), task, 16)}, task, steps=20, seed=2).values()
        runs.append(run)
    assert runs[0].right == runs[1].right and runs[0].final == runs[1].final


def test_what_decays_becomes_smaller() -> None:
    task, sizes = training.WhoEats(), []
    for decay in (0, 20):
        torch.manual_seed(4)
        reader = training.Reader(Mixer(16), task, 16)
        training.train({"one": reader}, task, steps=10, decay=decay)
        sizes.append(float(reader.attention.a.weight.abs().sum()))
    assert sizes[1] < sizes[0] / 2


def test_a_goal_is_reached_where_it_stays() -> None:
    run = training.Run([10, 20, 30, 40], [0.96, 0.5, 0.97, 1.0])
    assert run.reached(0.95) == 30 and run.reached(0.3) == 10 and run.reached(1.01) is None


def test_a_model_that_diverges_reaches_nothing() -> None:
    assert training.Run([10, 20], [float("nan"), float("nan")]).reached(0.1) is None


def test_the_picture_says_how_far_each_model_is() -> None:
    runs = {"one": training.Run([10, 20], [0.25, 0.5]), "two": training.Run([10, 20], [0.5, 1.0], final=0.99)}
    picture = picture_of(runs, 100, 0.1, {"two": np.eye(3)}, ["a", "b", "c"])
    assert isinstance(picture, figures.Picture)
    assert picture.says.startswith("Answered right, on new sequences, after step 20 of 100: one 50 %; two 99 %.")


def test_single_rows_stand_one_below_the_other_under_their_titles() -> None:
    """They share the names of the keys; as maps of their own they would be thin stripes."""
    names, titles = ["Ann", "Ben", "Ann?"], ["one head", "head 0", "head 1"]
    figure = Figure()
    axes = figure.subplots()
    _rows(axes, {title: np.eye(3)[[place]] for place, title in enumerate(titles)}, names, asked=-1)
    assert [label.get_text() for label in axes.get_yticklabels()] == titles
    assert [label.get_text() for label in axes.get_xticklabels()] == names
    assert np.array_equal(axes.images[0].get_array(), np.eye(3))
    assert axes.get_title() == "where query “Ann?” looks"


def test_models_of_one_kind_are_told_together() -> None:
    runs = {f"{kind} · {start}": training.Run([10], [0.5 + start / 10]) for start in range(3) for kind in ("plain", "scaled")}
    assert picture_of(runs, 10, 0.1, {}).says.endswith("plain 50 %, 60 %, 70 %; scaled 50 %, 60 %, 70 %.")
