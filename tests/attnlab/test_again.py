"""What a second call establishes: the type of what comes in, memory that two results share, arguments that a call changes."""

from __future__ import annotations

import pytest

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
