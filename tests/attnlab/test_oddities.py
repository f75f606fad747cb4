"""What an answer's own text says that can hardly be meant; and what else the checks of lessons 2 and 2b establish by a probe."""

from __future__ import annotations

import inspect

import pytest

from attnlab.check.endless import endless_loop
from attnlab.check.oddities import comma_at_the_end, made_anew, odd_order
from attnlab.check.queries_keys_values import SelfAttention

from .learner import run_cell, said, said_to

LAYERS = """
        class SelfAttention(nn.Module):
            def __init__(self, d_in, d_k, d_v):
                super().__init__()
                self.toqueries, self.tokeys = nn.Linear(d_in, d_k, bias=False), nn.Linear(d_in, d_k, bias=False)
                self.tovalues, self.dropout = nn.Linear(d_in, {size}, bias=False), nn.Dropout(0.05)

            def forward(self, x):
                weights = {weights}
                return weights @ self.tovalues(x)"""
SOFTMAX = "torch.softmax(self.toqueries(x) @ self.tokeys(x).mT, -1)"


@pytest.mark.parametrize(("expression", "read"), [
    ("i + 1 % n", "i + (1 % n)"), ("i - 1 % n", "i - (1 % n)"), ("n ** 1 / 2", "(n ** 1) / 2"),
    ("(i + 1) % n", ""), ("i + n % 2", ""), ("n ** (1 / 2)", ""), ("n ** 2 / 2", ""), ("i % n + 1", "")])
def test_an_order_that_can_hardly_be_meant(expression: str, read: str) -> None:
    answer = run_cell(f"def f(i, n):\n    return {expression}\n", "f")
    found = odd_order(answer)
    assert (f"as `{read}`" in found[0]) if read and found else not (read or found)
    assert not read or (odd_order(answer, f"in line 2: `x[{expression}]`") and not odd_order(answer, "in line 2: `x[0]`"))


@pytest.mark.parametrize(("line", "told"), [("w = f(x),", True), ("return f(x),", True), ("w = f(x), 1", False), ("w = (f(x))", False)])
def test_a_comma_at_the_end(line: str, told: bool) -> None:
    assert bool(comma_at_the_end(run_cell(f"def g(x, f):\n    {line}\n", "g"))) is told


def test_a_list_that_is_made_anew_in_each_round_is_told_where_an_exception_shows_it() -> None:
    answer = run_cell("def f(x):\n    for a in x:\n        parts = []\n        parts.append(a)\n    return parts[1]\n", "f")
    right = run_cell("def f(x):\n    for a in x:\n        parts = []\n        parts.append(a)\n        x = parts\n    return x[1]\n", "f")
    said_there = "list index out of range; there, parts is a list of 1"
    assert made_anew(answer, said_there) and not made_anew(answer, "x has shape (2,)") and not made_anew(right, said_there)


@pytest.mark.parametrize(("body", "endless"), [
    ("y = x[i]", True), ("x[0] += 1", False), ("y = sorted(x)", False), ("i += 1", False), ("if x[i] > 3: break", False), ("y = len(x)", True),
    ("x = x[1:]", False), ("seen.append(i)", True)])
def test_a_loop_that_nothing_can_end(body: str, endless: bool) -> None:
    function = run_cell(f"""
        def f(x, seen):
            i = 0
            while i < len(x):
                look()
                {body}""", "f", look=lambda: _stop())
    found: list[str] = []

    def _stop() -> None:
        frame = inspect.currentframe()
        found.append(endless_loop(frame))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        function([1, 2, 3], [])
    assert bool(found[0]) is endless


def test_a_list_may_grow_under_the_loop_that_looks_at_it() -> None:
    found: list[str] = []

    def look() -> None:
        found.append(endless_loop(inspect.currentframe()))
        raise KeyboardInterrupt

    function = run_cell("def f(x):\n    while len(x) < 9:\n        look()\n        x.append(1)\n", "f", look=look)
    with pytest.raises(KeyboardInterrupt):
        function([])
    assert found == [""]


def test_what_acts_only_in_training_is_found() -> None:
    text = said_to("SelfAttention", LAYERS.format(size="d_v", weights=f"self.dropout({SOFTMAX})"))
    assert "after `train()`" in text and "`Dropout`" in text
    SelfAttention(run_cell(LAYERS.format(size="d_v", weights=SOFTMAX), "SelfAttention"))


def test_a_layer_that_is_made_and_not_applied() -> None:
    text = said_to("SelfAttention", LAYERS.format(size="d_v", weights="nn.Softmax(self.toqueries(x) @ self.tokeys(x).mT)"))
    assert "`weights` is a layer: `Softmax(...)` makes one" in text


def test_a_size_that_is_another_one_of_those_given() -> None:
    assert "there is a 4 where 5 belongs: the constructor was given both" in said_to("SelfAttention", LAYERS.format(size="d_k", weights=SOFTMAX))
    assert "the constructor was given both" not in said_to("SelfAttention", LAYERS.format(size="7", weights=SOFTMAX))


@pytest.mark.parametrize(("queries", "cause"), [
    ("np.roll(np.eye(letters), 1, axis=1) + 0.1 * np.roll(np.eye(letters), 2, axis=1)", "are not at right angles"),
    ("np.roll(np.eye(letters), 4, axis=1)", "the rows are moved by 4"),
    ("np.eye(letters)[np.minimum(np.arange(letters) + 1, letters - 1)]", "the circle is not closed"),
    ("np.roll(np.eye(letters), -1, axis=0) * np.exp(sharpness) / sharpness", "e to the power of the sharpness"),
    ("np.roll(np.eye(letters), -1, axis=0) * np.linspace(1, 2, letters)[:, None]", "")])
def test_letters_that_look_elsewhere(queries: str, cause: str) -> None:
    text = said("next_letter_projections", run_cell(f"""
        def next_letter_projections(letters, sharpness):
            return sharpness * ({queries}), np.eye(letters)""", "next_letter_projections"))
    assert cause in text and bool(cause) is ("each letter and the next" in text)


@pytest.mark.parametrize(("code", "cause"), [
    ("heads[0]['omega_Q'] @ X", "the dictionary has no such key"),
    ("[head['omega_Q'] @ X for head in heads]", "`head` has no such key; it has `omega_q`"),
    ("[head['omega_q'] @ X for head in range(len(heads))]", "`head` is one number, and square brackets"),
    ("np.zeros(len(6))", "`len` wants something with entries"),
    ("omega_c @ np.hstack(parts)", "side by side; one under the other, they would fit"),
    ("X @ np.hstack(parts)", "the two shapes do not line up")])
def test_exceptions_that_say_more(code: str, cause: str) -> None:
    text = said_to("multi_head_columns", f"""
        def multi_head_columns(X, heads, omega_c):
            parts = [head["omega_v"] @ X for head in heads]
            return {code}""")
    assert cause in text
