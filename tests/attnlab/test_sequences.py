"""The tasks of lesson 6 have the answers that they say, their batches are fresh, and names that are kept are never trained on."""

from __future__ import annotations

import math

import pytest
import torch

from attnlab import training
from attnlab.training.measuring import NOT_ASKED

TASKS = [training.Reverse(), training.Repeat(), training.Names()]
each_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: type(task).__name__)


@each_task
def test_batches_are_new_each_time_and_the_same_for_a_seed(task: training.Sequences) -> None:
    draw = torch.Generator().manual_seed(0)
    first, second = task.batch(64, draw), task.batch(64, draw)
    again = task.batch(64, torch.Generator().manual_seed(0))
    assert first[0].shape != second[0].shape or not torch.equal(first[0], second[0])
    assert all(map(torch.equal, first, again))
    tokens, targets = first
    assert tokens.shape == targets.shape and len(tokens) == 64 and tokens.shape[1] <= task.length
    assert 0 <= int(tokens.min()) and int(tokens.max()) < task.vocabulary
    asked = targets[targets != NOT_ASKED]
    assert 0 <= int(asked.min()) and int(asked.max()) < task.vocabulary


def test_reverse_asks_for_the_digit_from_the_end() -> None:
    tokens, targets = training.Reverse(length=5).batch(30, torch.Generator().manual_seed(1))
    assert targets.tolist() == [row[::-1] for row in tokens.tolist()]


def test_repeat_asks_from_the_second_period_on_and_every_answer_stands_in_the_sequence() -> None:
    task = training.Repeat()
    periods = set()
    for tokens, targets in zip(*task.batch(300, torch.Generator().manual_seed(2))):
        [*row], [*asked] = tokens.tolist(), targets.tolist()
        period = asked.index(next(target for target in asked if target != NOT_ASKED))
        periods.add(period)
        assert len(set(row[:period])) == period, "within a period each letter occurs once"
        assert all(row[place] == row[place - period] for place in range(period, task.length))
        assert asked[:period] == [NOT_ASKED] * period
        assert asked[period:-1] == row[period + 1 :] and asked[-1] == row[task.length - period]
    assert periods == set(range(3, 13)), "every period occurs"


def test_a_word_is_repeated() -> None:
    [row] = training.Repeat(length=7).of("cab").tolist()
    assert row == [2, 0, 1, 2, 0, 1, 2]


def test_names_are_those_of_the_package_and_end_with_0() -> None:
    task = training.Names()
    assert len(task.all) == len(set(task.all)) == 5163 and {"jessica", "ada"} < set(task.all)
    tokens, targets = task.of(["ada", "al"])
    assert tokens.tolist() == [[0, 1, 4, 1], [0, 1, 12, 0]]
    assert targets.tolist() == [[1, 4, 1, 0], [1, 12, 0, NOT_ASKED]]
    assert task.read([0, 1, 4, 1, 0, 5]) == "ada" and task.read([0]) == "" and task.read([0, 0]) == "" and task.read([0, 26]) == "z"


def test_names_that_are_kept_are_never_in_a_batch() -> None:
    task, draw = training.Names(), torch.Generator().manual_seed(3)
    kept, trained = set(task.all[:500]), set()
    for _ in range(200):
        trained |= {task.read(row) for row in task.batch(64, draw)[0]}
    assert not kept & trained and len(trained) > 4000
    assert {task.read(row) for row in task.fresh(2000, draw)[0]} == kept


def test_the_table_of_one_letter_is_worth_what_it_says() -> None:
    """Counted here by hand: the loss of bigrams on the kept names."""
    task, counts, letters = training.Names(), {}, "abcdefghijklmnopqrstuvwxyz."
    for name in task.all[500:]:
        for pair in zip(f".{name}", f"{name}."):
            counts[pair] = counts.get(pair, 0) + 1
    total = {one: sum(counts.get((one, other), 0) + 0.1 for other in letters) for one in letters}
    surprises = [-math.log((counts.get(pair, 0) + 0.1) / total[pair[0]]) for name in task.all[:500] for pair in zip(f".{name}", f"{name}.")]
    assert math.isclose(sum(surprises) / len(surprises), task.lines["bigrams"], rel_tol=1e-5)
    assert round(task.lines["bigrams"], 2) == 2.33 and math.isclose(task.lines["guessing"], math.log(27))
