"""The expression that gives a result another number type than the card says is named, with its line, and only where it does."""

from __future__ import annotations

import numpy as np
import pytest

from attnlab import check

from .learner import run_cell, said_to

CHANGED = "the type changed on the way: "


def softmax(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    """What another cell of the notebook holds: always float64."""
    e = np.exp(np.asarray(scores, dtype=float) - np.max(scores, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


BASIC = "def basic_self_attention(x):\n    {lines}\n"
SCALED = "def scaled_dot_product_attention(q, k, v):\n    scores = q @ k.mT / np.sqrt(q.shape[-1])\n    {lines}\n"
NORM = """
def layer_norm(x, gain, bias, epsilon=1e-5):
    centred = x - x.mean(-1, keepdim=True)
    {lines}
"""


@pytest.mark.parametrize(
    ("code", "words", "step"),
    [
        (
            BASIC.format(lines="y = torch.zeros(x.shape)\n    y += torch.softmax(x @ x.mT, dim=-1) @ x\n    return y"),
            "`torch.zeros(x.shape)` in line 2 makes float32: no `dtype` is given",
            "give it the type that the card says: `dtype=x.dtype`",
        ),
        (
            BASIC.format(lines="return torch.stack([torch.softmax(s @ s.T, dim=-1) @ s for s in x.float()])"),
            "`x.float()` in line 2 makes float32 of float64",
            "leave the conversion out, or convert the result back: `.to(x.dtype)`",
        ),
        (
            BASIC.format(lines="w = torch.softmax(x @ x.mT, dim=-1, dtype=torch.float32)\n    return torch.einsum('bij,bjk->bik', w, x.to(w.dtype))"),
            "`torch.softmax(x @ x.mT, dim=-1, dtype=torch.float32)` in line 2 makes float32 of float64",
            "convert the result back",
        ),
        (
            BASIC.format(lines="y = torch.zeros(*x.shape[:-1], x.shape[-1])\n    y += torch.softmax(x @ x.mT, dim=-1) @ x\n    return y"),
            "`torch.zeros(*x.shape[:-1], x.shape[-1])` in line 2 makes float32: no `dtype` is given",
            "`dtype=x.dtype`",
        ),
        (
            BASIC.format(lines="return cast(torch.softmax(x @ x.mT, dim=-1) @ x)\n\ndef cast(t):\n    return t.type(torch.FloatTensor)"),
            "`t.type(torch.FloatTensor)` in line 5 makes float32 of float64",
            "`.to(t.dtype)`",
        ),
        (
            SCALED.format(lines="weights = torch.from_numpy(softmax(scores.detach().numpy()))\n    return weights @ v.double()"),
            "`softmax(scores.detach().numpy())` in line 3 makes float64 of float32, and `v.double()` in line 4 makes float64 of float32",
            "torch functions keep the type of what they get",
        ),
        (
            SCALED.format(
                lines="scores = scores + torch.from_numpy(np.zeros(scores.shape))\n"
                "    return (torch.softmax(scores, -1) @ v.to(scores.dtype)) if scores.dtype != v.dtype else torch.softmax(scores, -1) @ v"
            ),
            "`np.zeros(scores.shape)` in line 3 makes float64: no `dtype` is given",
            "convert the result back: `.to(q.dtype)`",
        ),
        (
            NORM.format(
                lines="root = torch.from_numpy(np.std(x.detach().double().numpy(), axis=-1, keepdims=True))\n    return gain * centred / root + bias"
            ),
            "`x.detach().double()` in line 4 makes float64 of float32",
            "leave the conversion out",
        ),
        (
            NORM.format(
                lines="epsilon = torch.full((x.shape[-1],), epsilon, dtype=torch.float64)\n"
                "    return gain * centred / (centred.square().mean(-1, keepdim=True) + epsilon).sqrt() + bias"
            ),
            "`torch.full((x.shape[-1],), epsilon, dtype=torch.float64)` in line 4 makes float64",
            "convert the result back",
        ),
    ],
)
def test_the_expression_that_makes_another_float_type_is_named(code: str, words: str, step: str) -> None:
    text = said_to(code.split("(")[0].split()[-1], code, softmax=softmax)
    assert f"{CHANGED}{words}" in text and step in text, text


def test_three_expressions_that_are_it_together_are_named() -> None:
    lines = "q, k, v = q.double(), k.double(), v.double()\n    w = torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, -1)\n    return w @ v"
    text = said_to("scaled_dot_product_attention", SCALED.format(lines=lines))
    assert f"{CHANGED}`q.double()`" in text and "`k.double()`" in text and ", and `v.double()`" in text, text


def test_what_stays_without_effect_is_not_blamed() -> None:
    lines = "kept = q.double().sum().to(q.dtype)\n    w = torch.softmax(scores + 0 * kept, -1)\n    return (w @ v).double()"
    text = said_to("scaled_dot_product_attention", SCALED.format(lines=lines))
    assert f"{CHANGED}`(w @ v).double()` in line 5" in text and "np.sqrt" not in text and "q.double()" not in text, text


@pytest.mark.parametrize(
    "lines",
    [
        "y = start.expand(x.shape).clone()\n    y += torch.softmax(x @ x.mT, dim=-1) @ x\n    return y",
        "a, b, c = x.float(), x.mT.float(), torch.tensor(x.tolist())\n    return torch.softmax(a @ b, dim=-1) @ c @ torch.eye(x.shape[-1])",
    ],
    ids=["made outside", "four"],
)
def test_where_no_few_expressions_are_it_the_old_words_stay(lines: str) -> None:
    text = said_to("basic_self_attention", f"start = torch.zeros(1)\n{BASIC.format(lines=lines)}")
    assert f"{CHANGED}somewhere a tensor of float32 is made" in text, text


HEADS = """
class FeedForward(nn.Module):
    def __init__(self, k, hidden):
        super().__init__()
        self.expand, self.contract = nn.Linear(k, hidden), nn.Linear(hidden, k)
        {made}

    def forward(self, x):
        return self.contract(torch.relu(self.expand(x))) {then}
"""


@pytest.mark.parametrize(
    ("made", "then", "words"),
    [
        ("self.one = torch.ones(k, dtype=torch.float64)", "* self.one", "`torch.ones(k, dtype=torch.float64)` in line 6 makes float64"),
        ("", "+ torch.from_numpy(np.zeros(x.shape))", "`np.zeros(x.shape)` in line 9 makes float64: no `dtype` is given"),
        ("pass", "+ torch.zeros(x.shape).double()", "`torch.zeros(x.shape).double()` in line 9 makes float64 of float32"),
    ],
)
def test_in_a_module_it_is_named_as_well(made: str, then: str, words: str) -> None:
    text = said_to("FeedForward", HEADS.format(made=made, then=then))
    assert f"{CHANGED}{words}" in text, text


CUT = "with the same numbers as decimals, the result is right: "
CAUSAL = """
def repaired_causal_attention(x):
    {made}
    for i in range(len(x)):
        seen = x[:i + 1]
        scores = seen @ x[i] / np.sqrt(x.shape[1])
        e = np.exp(scores - scores.max())
        outputs[i] = e / e.sum() @ seen
    return outputs
"""


@pytest.mark.parametrize(
    ("made", "words", "step"),
    [
        ("outputs = np.zeros_like(x)", "`np.zeros_like(x)` in line 3", "add `dtype=float`"),
        ("outputs = x.copy()", "`x.copy()` in line 3", "`.astype(float)`"),
        ("outputs = np.array(x[:])", "`np.array(x[:])` in line 3", "add `dtype=float`"),
        ("outputs = np.zeros(x.shape, x.dtype)", "`np.zeros(x.shape, x.dtype)` in line 3", "there: `dtype=float`"),
        ("outputs = 0 * x", "`0 * x` in line 3", "`.astype(float)`"),
        ("outputs = np.empty(x.shape, dtype=x.dtype)", "`np.empty(x.shape, dtype=x.dtype)` in line 3", "there: `dtype=float`"),
        ("transposed = 2 * x.T\n    outputs = np.empty_like(transposed).T", "`np.empty_like(transposed)` in line 4", "add `dtype=float`"),
    ],
)
def test_the_array_that_cannot_hold_decimals_is_named(made: str, words: str, step: str) -> None:
    text = said_to("repaired_causal_attention", CAUSAL.format(made=made))
    assert f"{CUT}{words} makes an array of whole numbers" in text and step in text, text


def test_of_several_parts_the_array_of_the_first_wrong_one_is_named() -> None:
    code = """
        def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
            results = []
            for omega, beta in ((omega_q, beta_q), (omega_k, beta_k), (omega_v, beta_v)):
                column = np.resize(x_n, beta.shape)
                column[:] = beta + omega @ x_n
                results.append(column)
            return tuple(results)"""
    text = said_to("query_key_value", code)
    assert f"{CUT}`np.resize(x_n, beta.shape)` in line 5" in text, text


def test_where_two_arrays_cut_off_the_old_words_stay() -> None:
    code = CAUSAL.format(made="outputs, weights = np.zeros_like(x), np.zeros_like(x @ x.T)")
    text = said_to(
        "repaired_causal_attention",
        code.replace("outputs[i] = e / e.sum() @", "weights[i, :i + 1] = 100 * e / e.sum()\n        outputs[i] = weights[i, :i + 1] / 100 @"),
    )
    assert f"{CUT}a line depends on the type of the numbers; the check does not see which" in text, text


COUNT = """
def parameter_count(k, heads, variant):
    if variant not in ("narrow", "wide"):
        raise ValueError(variant)
    s = k if variant == "wide" else k // heads
    {lines}
"""
FLOAT = "the result is not of the type that the card says: "


@pytest.mark.parametrize(
    ("lines", "words", "step"),
    [
        (
            "s = k if variant == 'wide' else k / heads\n    return 4 * heads * s * k + k",
            "`k / heads` in line 6 gives a float; `/` does",
            "divide with `//`",
        ),
        ("parts = [3 * heads * s * k, heads * s * k, 2 * k / 2]\n    return sum(parts)", "`2 * k / 2` in line 6 gives a float; `/` does", "`//`"),
        (
            "a = 8 * heads * s * k / 2\n    b = 3 * k / 3\n    return a + b",
            "`8 * heads * s * k / 2` in line 6 and `3 * k / 3` in line 7 give floats",
            "`//`",
        ),
        ("return 4.0 * heads * s * k + k", "`4.0 * heads` in line 6 gives a float", "write `4` and not `4.0`"),
        ("return 4 * heads * s * k + np.sqrt(k ** 2)", "`np.sqrt(k ** 2)` in line 6 gives a float", "make an int of it there: `int(...)`"),
        ("return 4 * heads * s * k + (k * k) ** 0.5", "`(k * k) ** 0.5` in line 6 gives a float", "`int(...)`"),
        ("return 4 * heads * s * k + 2 * k / 2.0", "`2 * k / 2.0` in line 6 gives a float next", "`int(...)`"),
        ("return float(4 * heads * s * k + k)", "`float(4 * heads * s * k + k)` in line 6 gives a float", "`int(...)`"),
        ("return k + np.ones((4, heads, s, k)).sum()", "`np.ones((4, heads, s, k))` in line 6 gives a float", "`int(...)`"),
    ],
)
def test_what_makes_a_float_of_a_count_is_named(lines: str, words: str, step: str) -> None:
    text = said_to("parameter_count", COUNT.format(lines=lines))
    assert f"{FLOAT}{words}" in text and step in text, text


@pytest.mark.parametrize(
    "lines", ["return k * (8 * heads * s + 2) * (1 / 2)", "return 4 * heads * s * k + k / 3 * 3", "return str(4 * heads * s * k + k)"]
)
def test_a_division_that_leaves_something_is_not_to_be_cut_off(lines: str) -> None:
    text = said_to("parameter_count", COUNT.format(lines=lines))
    assert "`//`" not in text, text


def test_a_right_answer_with_a_division_elsewhere_is_right() -> None:
    check.parameter_count(run_cell(COUNT.format(lines="share = s / k\n    return 4 * heads * s * k + k"), "parameter_count"))


def test_a_type_that_stands_by_its_place_is_given() -> None:
    code = SCALED.format(
        lines="kind = 'f8'\n    w = torch.softmax(scores.to(torch.from_numpy(np.zeros(1, kind)).dtype), -1)\n    return (w @ v.double())"
    )
    assert "no `dtype` is given" not in said_to("scaled_dot_product_attention", code)
    lines = "kind = float\n    scores = scores + torch.from_numpy(np.zeros(scores.shape, kind))\n    return scores.softmax(-1) @ v.to(scores.dtype)"
    text = said_to("scaled_dot_product_attention", SCALED.format(lines=lines))
    assert "`np.zeros(scores.shape, kind)` in line 4 makes float64 next" in text, text
