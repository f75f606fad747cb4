"""What a second call establishes: the type of what comes in, memory that two results share, arguments that a call changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from types import FunctionType
from typing import Any

import numpy as np
import pytest
import torch

from attnlab import check, exercises, reference
from attnlab.diagnosis import grading
from attnlab.diagnosis.drawn import VISIBLE, inputs_of

from .learner import said_to

DECIMALS = "with the same numbers as decimals, the result is right"


@pytest.mark.parametrize(
    ("exercise", "code"),
    [
        (
            "softmax",
            """
        def softmax(scores, axis=-1):
            powers = np.empty_like(scores)
            powers[...] = np.exp(scores - scores.max(axis=axis, keepdims=True))
            return powers / powers.sum(axis=axis, keepdims=True)""",
        ),
        (
            "attention_weights",
            """
        def attention_weights(x):
            scores = x @ x.T
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            return (powers / powers.sum(axis=1, keepdims=True)).astype(x.dtype)""",
        ),
        (
            "self_attention_loops",
            """
        def self_attention_loops(x):
            outputs = np.zeros_like(x)
            for i in range(len(x)):
                powers = np.exp(x @ x[i] - (x @ x[i]).max())
                outputs[i] = powers / powers.sum() @ x
            return outputs""",
        ),
    ],
)
def test_an_array_that_takes_over_the_type_is_told(exercise: str, code: str) -> None:
    text = said_to(exercise, code)
    assert DECIMALS in text and "rounded" not in text, text


def test_whole_numbers_that_are_wrong_as_decimals_too_have_another_cause() -> None:
    assert DECIMALS not in said_to(
        "softmax",
        """
        def softmax(scores, axis=-1):
            powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
            return powers / powers.sum(axis=axis, keepdims=True) if scores.max() != 9 else powers""",
    )


def test_one_array_for_all_results_is_told() -> None:
    text = said_to(
        "softmax",
        """
        places = {}

        def softmax(scores, axis=-1):
            out = places.setdefault(scores.shape, np.empty(scores.shape))
            np.exp(scores - scores.max(axis=axis, keepdims=True), out=out)
            out /= out.sum(axis=axis, keepdims=True)
            return out""",
    )
    assert "two calls return the same array: the second call overwrites the result of the first" in text


def test_a_call_that_changes_what_it_reads_is_told() -> None:
    text = said_to(
        "weighted_values",
        """
        def weighted_values(weights, values):
            result = np.zeros((len(weights), *values.shape))
            for i, row in enumerate(weights):
                for j, weight in enumerate(row):
                    value = values[j]
                    value *= weight
                    result[i, j] = value
            return result""",
    )
    assert "the call changes its input, so later lines that read the input get different numbers" in text


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("w_query, w_key = np.zeros((letters, letters), dtype=int), np.eye(letters)", "every number has lost its decimals"),
        ("w_query, w_key = np.zeros((letters, letters)), 0.8 * np.eye(letters)", "every entry is 0.8 times the expected one"),
    ],
)
def test_decimals_that_are_lost_are_no_factor(line: str, told: str) -> None:
    text = said_to(
        "next_letter_projections",
        f"""
        def next_letter_projections(letters, sharpness):
            {line}
            w_query[np.arange(letters), (np.arange(letters) + 1) % letters] = sharpness
            return w_query, w_key""",
    )
    assert told in text, text


class StandIn:
    """Says that it is a function, as what a grader hands to a check, and counts its calls."""

    def __init__(self, function: Callable[..., Any]):
        self.function, self.calls = function, 0

    @property
    def __class__(self) -> type:
        return FunctionType

    def __call__(self, *arguments: Any) -> Any:
        self.calls += 1
        return self.function(*arguments)


def _causal_mask(T: int) -> np.ndarray:
    return np.tri(T, dtype=bool)


def test_what_came_through_copies_is_asked_once_more_and_no_oftener() -> None:
    here, stand_in = [], StandIn(_causal_mask)
    check.causal_mask(lambda T: here.append(T) or _causal_mask(T))
    check.causal_mask(stand_in)
    assert vars(stand_in)["calls"] == len(here) - 2  # after its result was written into, and after another input


def test_a_result_that_is_kept_by_what_is_no_plain_function_is_told() -> None:
    with pytest.raises(check.CheckFailed, match="keeps the result that it returned"):
        check.causal_mask(lru_cache(_causal_mask))


def test_only_what_says_that_it_is_a_function_and_is_none_stands_elsewhere() -> None:
    assert grading.is_elsewhere(StandIn(_causal_mask))
    assert not any(map(grading.is_elsewhere, (_causal_mask, lru_cache(_causal_mask), partial(_causal_mask, 3), np.exp, dict, StandIn)))


def test_one_module_serves_all_drawn_inputs_of_its_settings() -> None:
    made = []

    class Block(torch.nn.Module):
        def __init__(self, k: int, attention: torch.nn.Module, feed_forward: torch.nn.Module):
            super().__init__()
            self.attention, self.feed_forward = attention, feed_forward
            self.norm_1, self.norm_2 = torch.nn.LayerNorm(k), torch.nn.LayerNorm(k)
            made.append(k)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            x = x + self.attention(self.norm_1(x))
            return x + self.feed_forward(self.norm_2(x))

    check.Block(Block)
    shown, drawn = reference.cases("Block"), [one for inputs in inputs_of(exercises.find("Block"), VISIBLE).values() for one in inputs]
    settings = {repr(one.arguments[0]) for one in drawn}
    assert len(drawn) > 2 * len(settings), "there is nothing to save"
    assert len(made) == len(shown) + 2 * len(settings) + 5  # of two stages; four for what one call leaves behind; one for slopes


def test_a_module_that_is_right_only_when_it_is_new_is_told_so() -> None:
    text = said_to(
        "FeedForward",
        """
        class FeedForward(nn.Module):
            def __init__(self, k, hidden):
                super().__init__()
                self.expand = nn.Linear(k, hidden)
                self.contract = nn.Linear(hidden, k)
                self.matrix = None

            def forward(self, x):
                if self.matrix is None:
                    self.matrix = self.contract.weight.detach().clone()
                return nn.functional.linear(torch.relu(self.expand(x)), self.matrix, self.contract.bias)""",
    )
    assert "called again" in text and "something that is computed from the parameters is kept" in text, text
