"""What the place of an exception, all inputs together, or another call establish."""

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


@pytest.mark.parametrize(("lines", "words"), [
    ("return scores / scores.sum", "`scores.sum` is a function, used here without its parentheses"),
    ("return scores.sum(axis, True)", "for the type of the numbers, `dtype`"),
    ("return scores.max(axis=axis, keepdim=True)", "`keepdim` is torch's word, and this is NumPy, which says `keepdims`"),
    ("i = 0\n    while i < 2:\n        i += 0.5\n    return scores[3]", "an index counts from 0"),
    ("return scores.tolist().nothing", "this check does not know why"),
    ("return [1].split()", "what stands before the dot is a list, and `split` belongs to texts"),
    ("rows = np.zeros((3, 5))\n    rows[0] = scores[0]\n    return rows",
     "its place on the left has shape (5,); the array on the left is made by `rows = np.zeros((3, 5))`"),
])
def test_the_line_of_an_exception_tells_its_cause(lines: str, words: str) -> None:
    assert words in said_to("softmax", f"def softmax(scores, axis=-1):\n    {lines}\n")


@pytest.mark.parametrize(("lines", "words"), [
    ("return x @ x.transpose(-2, -1)", "that is the old one: nothing changes places"),
    ("return x @ x", "`@` sums over the last axis of `x`, of length 4, and over the last but one of `x`, of length 3"),
    ("return np.array([[a @ b for b in a] for a in x])", "`b` is one number there: it comes from `for b in a`, and `@` multiplies arrays"),
    ("s = np.zeros((3, 3))\n    for j in range(4):\n        s[j, j] = 1\n    return s",
     "`j` comes from `for j in range(4)`, and it is used on axis 0 of `s`, which has length 3"),
    ("s = np.zeros((3, 3))\n    for i in x:\n        s[i] = 1\n    return s", "the index `i` is an array of decimals: it comes from `for i in x`"),
    ("w = x.sum()\n    return w[0]", "`w` is one number there, without entries: it comes from `w = x.sum()`"),
    ("for x in x:\n        w = x.sum()\n    w = x.sum()\n    return w[0]", "`w` is one number there, without entries next"),
    ("i = 1\n    return x[i] * x.T[i]", "shapes do not line up"),
    ("first = x[0]\n    return first * x.T", "`first` has shape (4,) and `x.T` has shape (4, 3); shapes are compared"),
    ("total = x.sum(axis=1)\n    return x / total", "`total` has the shape of `x` without its axis 1"),
    ("return x / x.sum(axis=1)", "`x.sum(axis=1)` loses the axis that it runs along"),
    ("return np.array(a @ x.T for a in x)", "the array holds a generator"),
    ("return x @ x.T > 3", "the result holds truth values"),
    ("return [n for a in x for n in a @ x.T]", "which have as an array the shape (9,) and not (3, 3)"),
])
def test_the_line_tells_what_is_not_what_it_needs(lines: str, words: str) -> None:
    assert words in said_to("attention_scores", f"def attention_scores(x):\n    {lines}\n")


@pytest.mark.parametrize(("lines", "words"), [
    ("return table[words]", "`words` holds text, and the array `table` knows only row numbers"),
    ("rows = tuple(vocabulary[word] for word in words)\n    return table[rows]", "`rows` is a tuple"),
    ("for word in words:\n        for w in word:\n            vocabulary[w]", "`for w in word` goes through the letters of `word`"),
    ("for word in words:\n        words.append(vocabulary[word])", "makes the list longer that the loop runs over"),
    ("inverse = {row: word for word, row in vocabulary.items()}\n    for word in words:\n        inverse[word]",
     "is of type str, and all keys of `inverse` are of type int; it is one of its values"),
    ("for word in words:\n        row = vocabulary.get(word)\n        if not row:\n            raise KeyError(word)",
     "`row` is 0: the number 0 counts as false"),
    ("for word in words:\n        row = vocabulary.get(word)\n        if row is not None:\n            raise KeyError(word)",
     "your own line raises it"),
    ("rows = [vocabulary[word] for word in words]\n    return table[:, rows]", "axis 1 of `table`, which has length 3; axis 0 has length 5"),
    ("return np.array([table[vocabulary[word] + 1] for word in words])", "the index `vocabulary[word] + 1` gives 5, and axis 0 of `table` ends at 4"),
])
def test_words_rows_and_keys_are_told_apart(lines: str, words: str) -> None:
    assert words in said_to("embed", f"def embed(words, vocabulary, table):\n    {lines}\n")


@pytest.mark.parametrize(("lines", "words"), [
    ("return x @ x.transpose(0, 1)", "makes (3, 2, 4) of (2, 3, 4): axis 0, that of the batch, changes places, too"),
    ("return x @ x.t()", "`t()` exchanges the two axes of a matrix"),
    ("return x - x.max(dim=-1)", "gives two things: the values and their places"),
    ("return torch.softmax(x)", "wants to be told its axis"),
    ("small = x.float()\n    return small @ x.mT", "`small` holds torch.float32, from `small = x.float()` and `x` holds torch.float64"),
    ("layer = nn.Linear(4, 4)\n    return layer(x)", "`layer` has parameters of its own, of torch.float32"),
])
def test_tensors_are_told_apart(lines: str, words: str) -> None:
    assert words in said_to("basic_self_attention", f"def basic_self_attention(x):\n    {lines}\n")


def test_parameters_in_another_order_are_seen() -> None:
    body = "    return table[[vocabulary[word] for word in words]]\n"
    text = said_to("embed", f"def embed(words, table, vocabulary):\n{body}")
    assert "yours are `words`, `table`, `vocabulary`, the card's are `words`, `vocabulary`, `table`" in text
    other = said_to("embed", f"def embed(sentence, table, vocabulary):\n{body.replace('words', 'sentence')}")
    assert "in another order than in the card" not in other, "names of one's own say nothing about their order"


def test_the_same_result_for_every_input_is_seen() -> None:
    tokens = np.array([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
    assert "the same numbers come out for every input" in said("attention_scores", lambda x: tokens @ tokens.T + 1)
    assert "the same numbers come out for every input" not in said("attention_scores", lambda x: np.zeros((3, 3))), "zeros may come from anywhere"


def test_whole_numbers_are_explained_by_other_inputs() -> None:
    assert "an array of whole numbers cuts off all decimals" in said("attention_scores", lambda x: (x @ x.T).astype(int))
    assert "cuts off" not in said("attention_scores", lambda x: (x @ x.T + 7).astype(int))


def test_a_change_of_the_input_is_told_where_no_cause_is_known() -> None:
    def changes(x: np.ndarray) -> np.ndarray:
        x += 0.125
        return x @ x.T
    assert "the call changes what was passed in" in said("attention_scores", changes)
    assert "the call changes" not in said("attention_scores", lambda x: (x + 0.125) @ (x + 0.125).T)


@pytest.mark.parametrize(("power", "words"), [
    ("2.72 ** (scores - scores.max(axis=axis, keepdims=True))", "powers of 2.72 in place of powers of e"),
    ("np.exp(0.7 * (scores - scores.max(axis=axis, keepdims=True)))", "scores with a factor: 0.7"),
])
def test_another_base_is_seen(power: str, words: str) -> None:
    assert words in said_to("softmax", SOFTMAX.replace("np.exp(scores - scores.max(axis=axis, keepdims=True))", power))


def test_a_factor_that_is_another_one_for_each_row_is_no_base() -> None:
    text = said("softmax", lambda scores, axis=-1: _softmax(scores * np.linspace(0.5, 0.7, len(scores))[:, None]))
    assert "a softmax of scores with a factor" not in text and "in place of powers of e" not in text


def _softmax(scores: np.ndarray) -> np.ndarray:
    return torch.softmax(torch.tensor(scores), dim=-1).numpy()


@pytest.mark.parametrize(("first", "words"), [
    ("    axis = axis or -1", "somewhere 0 counts as no axis"),
    ("    axis = -1", "the argument `axis` changes nothing"),
    ("    scores = np.moveaxis(scores, axis, -1); axis = -1", "the axis was moved to the end and not moved back"),
])
def test_axis_zero_is_told_from_an_axis_that_is_ignored(first: str, words: str) -> None:
    assert words in said_to("softmax", SOFTMAX.replace("axis=-1):", f"axis=-1):\n{first}"))


def test_an_unknown_word_that_gets_zeros_gets_no_row_of_the_table() -> None:
    rest = "np.array([table[vocabulary[w]] if w in vocabulary else {} for w in words])"
    code = f"def embed(words, vocabulary, table):\n    return {rest}\n"
    assert "a row that is not in the table" in said_to("embed", code.format("np.zeros(table.shape[1])"))
    assert "some row of the table" in said_to("embed", code.format("table[-1]"))


def test_columns_that_sum_to_one_have_more_than_one_reason() -> None:
    """The scores of tokens are symmetric: a sum without keepdims gives the numbers of a softmax over the queries."""
    text = said("attention_weights", lambda x: _softmax(x @ x.T).T)
    assert "rows and columns changed places" in text or "the weights are transposed" in text
