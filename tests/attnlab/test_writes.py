"""An answer that writes into an argument is told which argument, in which line, and what to write instead."""

from __future__ import annotations

import pytest

from attnlab import check

from .learner import run_cell, said_to

SOFTMAX = "    return e / e.sum(axis=axis, keepdims=True)\n"


def changing(lines: str, after: str = SOFTMAX) -> str:
    """What the check says to a softmax that begins with these lines."""
    return said_to("softmax", f"def softmax(scores, axis=-1):\n    {lines}\n{after}")


@pytest.mark.parametrize(
    ("lines", "words", "step"),
    [
        (
            "scores -= scores.max(axis=axis, keepdims=True)\n    e = np.exp(scores)",
            "`scores -= scores.max(axis=axis, keepdims=True)` in line 2 is an in-place operation on the argument `scores`",
            "`scores = scores - scores.max(axis=axis, keepdims=True)` makes a new one",
        ),
        (
            "e = np.asarray(scores)\n    e -= e.max(axis=axis, keepdims=True)\n    e = np.exp(e)",
            "`e -= e.max(axis=axis, keepdims=True)` in line 3 is an in-place operation on the argument `scores`: `e = np.asarray(scores)`",
            "make a copy there, with `.copy()`",
        ),
        (
            "e = np.exp(np.subtract(scores, scores.max(axis=axis, keepdims=True), out=scores))",
            "in line 2 is an in-place operation on the argument `scores`",
            "write into a copy: `.copy()`",
        ),
        (
            "e = np.exp(scores - scores.max(axis=axis, keepdims=True))\n    for row in scores:\n        row[:] = 0",
            "`row[:] = 0` in line 4 is an in-place operation on the argument `scores`",
            "write into a copy",
        ),
        (
            "e = np.exp(scores - scores.max(axis=axis, keepdims=True))\n    scores.sort()",
            "`scores.sort()` in line 3 is an in-place operation on the argument `scores`",
            "write into a copy",
        ),
        (
            "def centre(table):\n        table -= table.max(axis=axis, keepdims=True)\n        return table\n    e = np.exp(centre(scores))",
            "`table -= table.max(axis=axis, keepdims=True)` in line 3 is an in-place operation on the argument `scores`",
            "makes a new one",
        ),
    ],
    ids=["minus", "asarray", "out", "rows", "sort", "helper"],
)
def test_the_line_that_writes_is_named(lines: str, words: str, step: str) -> None:
    text = changing(lines)
    assert words in text
    assert step in text


def test_of_several_arguments_the_one_that_changes_is_named() -> None:
    text = said_to(
        "layer_norm",
        "def layer_norm(x, gain, bias, epsilon=1e-5):\n"
        "    y = (x - x.mean(-1, keepdim=True)) / (x.var(-1, correction=0, keepdim=True) + epsilon).sqrt()\n"
        "    bias += gain * y[0, 0]\n"
        "    return gain * y + bias - gain * y[0, 0]\n",
    )
    assert "`bias += gain * y[0, 0]` in line 3 is an in-place operation on the argument `bias`" in text


def test_a_list_that_is_filled_beside_it_is_not_blamed() -> None:
    code = """
        def permute_tokens(x, permutation):
            rows = []
            for _ in range(len(x)):
                rows.append(x[permutation.pop(0)])
            return np.array(rows)"""
    text = said_to("permute_tokens", code)
    assert "in line 5 is an in-place operation on the argument `permutation`" in text and "rows = []" not in text, text
    assert "`permutation[...]` reads what stands there" in text, text


def test_wrong_numbers_are_told_with_the_line_that_changes_the_input() -> None:
    text = said_to("attention_scores", "def attention_scores(x):\n    x *= 1.37\n    return x @ x.T + np.cos(x[0, 0])\n")
    assert "the call changes its input, so later lines that read the input get different numbers" in text
    assert "`x *= 1.37` in line 2 is an in-place operation on the argument `x`" in text


LAYERS = """
def two_layers(x, first, second):
    buffer = np.empty((len(x), len(x)))

    def layer(h, w_query, w_key, w_value):
        scores = h @ w_query @ (h @ w_key).T
        e = np.exp(scores - scores.max(axis=1, keepdims=True))
        {made}
        return weights, weights @ h @ w_value

    first_weights, collected = layer(x, *first)
    second_weights, outputs = layer(np.concatenate([x, collected], axis=1), *second)
    {more}
    return first_weights, second_weights, outputs
"""
SHARES = "e / e.sum(axis=1, keepdims=True)"


@pytest.mark.parametrize(
    ("made", "more", "words"),
    [
        (
            f"weights = buffer; weights[...] = {SHARES}",
            "",
            "`first weights` and `second weights` are one array in memory: it held the right `first weights` until line 8",
        ),
        (
            f"weights = buffer; weights[...] = {SHARES}",
            "second_weights = second_weights.copy()",
            "`first weights` was right until line 8, `weights = buffer; weights[...] = e / e.sum(axis=1, keepdims=True)`, wrote into it",
        ),
        (f"weights = {SHARES}", "first_weights[:, 0] += second_weights[:, 1]", "`first weights` was right until line 13"),
        (f"weights = {SHARES}", "second_weights = first_weights", "`second weights` and `first weights` are one array in memory"),
    ],
    ids=["one array", "a copy of it", "in place", "two names"],
)
def test_a_part_that_is_written_over_is_told(made: str, more: str, words: str) -> None:
    text = said_to("two_layers", LAYERS.format(made=made, more=more))
    assert words in text and "wrong place" not in text, text


def test_parts_in_another_order_share_nothing() -> None:
    text = said_to("two_layers", LAYERS.format(made=f"weights = {SHARES}", more="first_weights, second_weights = second_weights, first_weights"))
    assert "the two weights are in the wrong order" in text and "one array" not in text


GREEDY = """
def next_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        {lines}
        return kept
    if top_k is not None:
        best = logits.topk(top_k)
        logits = torch.full_like(logits, -torch.inf).scatter(0, best.indices, best.values)
    return (logits / temperature).softmax(-1)
"""


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("kept = nn.functional.one_hot(logits.argmax(), len(logits))", "`nn.functional.one_hot(logits.argmax(), len(logits))` in line 4 gives"),
        ("kept = torch.tensor([int(one == max(logits)) for one in logits])", "`torch.tensor([int(one == max(logits)) for one in logits])` in line 4"),
        ("best = logits == logits.max()\n        kept = best.int()\n        kept *= 1", "`best.int()` in line 5 gives whole numbers (int32)"),
    ],
)
def test_the_line_that_makes_whole_numbers_is_named(lines: str, words: str) -> None:
    text = said_to("next_probabilities", GREEDY.format(lines=lines))
    assert "your tensor holds int" in text and "float32, as on the card" in text, text
    assert words in text and "make decimals of them: `.float()`" in text, text


def test_where_no_line_is_made_out_the_kinds_of_it_are_told() -> None:
    table = "table = torch.eye(99, dtype=torch.int64)\n"
    text = said_to("next_probabilities", table + GREEDY.format(lines="kept = table[logits.argmax()][:len(logits)]"))
    assert "does not know why" in text and "`one_hot`, `argmax`, `tensor([0, 1])` and `dtype=int` give whole numbers" in text, text


def test_an_answer_that_copies_first_is_right() -> None:
    code = "def softmax(scores, axis=-1):\n    e = np.array(scores)\n    e -= e.max(axis=axis, keepdims=True)\n    e = np.exp(e)\n" + SOFTMAX
    check.softmax(run_cell(code, "softmax"))
