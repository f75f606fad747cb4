"""What the results for all inputs together, another call or a probe of the axis establish, and two number types in one line."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from .learner import said, said_to

SOFTMAX = """
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("return torch.softmax(x)", "`torch.softmax` needs `dim`, but the call does not give it"),
        ("small = x.float()\n    return small @ x.mT", "`small` holds float32 (line 2: `small = x.float()`) and `x` holds float64"),
        ("layer = nn.Linear(4, 4)\n    return layer(x)", "`layer` has parameters of its own, of float32, but the input is float64"),
    ],
)
def test_tensors_are_told_apart(lines: str, words: str) -> None:
    assert words in said_to("basic_self_attention", f"def basic_self_attention(x):\n    {lines}\n")


def test_the_same_result_for_every_input_is_seen() -> None:
    tokens = np.array([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
    assert "the numbers are the same for every input" in said("attention_scores", lambda x: tokens @ tokens.T + 1)
    assert "the numbers are the same for every input" not in said("attention_scores", lambda x: np.zeros((3, 3))), "zeros may come from anywhere"


def test_whole_numbers_are_explained_by_other_inputs() -> None:
    assert "an array of whole numbers cuts off the decimals" in said("attention_scores", lambda x: (x @ x.T).astype(int))
    assert "cuts off" not in said("attention_scores", lambda x: (x @ x.T + 7).astype(int))


def test_a_change_of_the_input_is_told_where_no_cause_is_known() -> None:
    def changes(x: np.ndarray) -> np.ndarray:
        x += 0.125
        return x @ x.T

    assert "the call changes its input" in said("attention_scores", changes)
    assert "the call changes" not in said("attention_scores", lambda x: (x + 0.125) @ (x + 0.125).T)


@pytest.mark.parametrize(
    ("power", "words"),
    [
        ("2.72 ** (scores - scores.max(axis=axis, keepdims=True))", "powers of 2.72 instead of powers of e"),
        ("np.exp(0.7 * (scores - scores.max(axis=axis, keepdims=True)))", "the scores times a factor: 0.7"),
    ],
)
def test_another_base_is_seen(power: str, words: str) -> None:
    assert words in said_to("softmax", SOFTMAX.replace("np.exp(scores - scores.max(axis=axis, keepdims=True))", power))


def test_a_factor_that_is_another_one_for_each_row_is_no_base() -> None:
    text = said("softmax", lambda scores, axis=-1: _softmax(scores * np.linspace(0.5, 0.7, len(scores))[:, None]))
    assert "a softmax of the scores times a factor" not in text and "instead of powers of e" not in text


def _softmax(scores: np.ndarray) -> np.ndarray:
    return torch.softmax(torch.tensor(scores), dim=-1).numpy()


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ("    axis = axis or -1", "somewhere 0 counts as no axis"),
        ("    scores = scores - scores.max(axis=-1, keepdims=True)", "the largest score is taken along the last axis also where `axis` is 0"),
        ("    axis = -1", "the argument `axis` has no effect"),
        ("    scores = np.moveaxis(scores, axis, -1); axis = -1", "the axis was moved to the end and not moved back"),
    ],
)
def test_axis_zero_is_told_from_an_axis_that_is_ignored(first: str, words: str) -> None:
    assert words in said_to("softmax", SOFTMAX.replace("axis=-1):", f"axis=-1):\n{first}"))


def test_an_unknown_word_that_gets_zeros_gets_no_row_of_the_table() -> None:
    rest = "np.array([table[vocabulary[w]] if w in vocabulary else {} for w in words])"
    code = f"def embed(words, vocabulary, table):\n    return {rest}\n"
    assert "a row that is not in the table" in said_to("embed", code.format("np.zeros(table.shape[1])"))
    assert "an existing row of the table" in said_to("embed", code.format("table[-1]"))


def test_columns_that_sum_to_one_have_more_than_one_reason() -> None:
    """The scores of tokens are symmetric: a sum without keepdims gives the numbers of a softmax over the queries."""
    text = said("attention_weights", lambda x: _softmax(x @ x.T).T)
    assert "rows and columns are swapped" in text or "the weights are transposed" in text


def test_an_array_that_holds_a_generator_is_explained() -> None:
    text = said_to("attention_scores", "def attention_scores(x):\n    return np.array(row @ x.T for row in x)\n")
    assert "generator" in text
