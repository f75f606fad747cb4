"""Numbers that leave the range of their type are named by the line that makes them; where it is something else, nothing is said of it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.attnlab.learner import run_cell, said_to

SOFTMAX = run_cell(
    "def softmax(s, axis=-1):\n    e = np.exp(s - s.max(axis=axis, keepdims=True))\n    return e / e.sum(axis=axis, keepdims=True)", "softmax"
)
GREEDY = """def next_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return torch.eye(len(logits))[int(logits.argmax())]
    if top_k:
        logits = torch.full_like(logits, -torch.inf).scatter(0, (best := logits.topk(top_k)).indices, best.values)
"""
TOO_SMALL = {
    "a power": (
        "    p = torch.softmax(logits, dim=-1)\n    p = p ** (1 / temperature)\n    return p / p.sum()\n",
        "`p ** (1 / temperature)` in line 7",
    ),
    "a function": (
        "    p = logits.softmax(0)\n    p = torch.pow(p, 1 / temperature)\n    return p / torch.sum(p)\n",
        "`torch.pow(p, 1 / temperature)` in line 7",
    ),
    "a method": ("    p = logits.softmax(0).pow(1 / temperature)\n    return p.div(p.sum())\n", ".pow(1 / temperature)` in line 6"),
    "in place": ("    p = logits.softmax(0)\n    p **= 1 / temperature\n    p /= p.sum()\n    return p\n", "`p **= 1 / temperature` in line 7"),
    "exponentials of one's own": (
        "    e = torch.exp(logits - logits.max())\n    p = (e / e.sum()) ** (1 / temperature)\n    return p / p.sum()\n",
        "`(e / e.sum()) ** (1 / temperature)` in line 7",
    ),
}


@pytest.mark.parametrize("way", TOO_SMALL)
def test_what_is_too_small_for_its_type_is_named_where_it_becomes_0(way: str) -> None:
    lines, where = TOO_SMALL[way]
    told = said_to("next_probabilities", GREEDY + lines)
    assert where in told
    assert "makes the zeros: its numbers are too small for float32 (underflow)" in told
    assert "for those that you keep" not in told


def test_a_softmax_of_which_nothing_is_kept_is_told_as_that() -> None:
    told = said_to(
        "repaired_causal_attention",
        """def repaired_causal_attention(x):
            weights = softmax(x @ x.T / x.shape[1] ** 0.5, axis=1)
            weights = weights * np.tril(np.ones_like(weights))
            return weights / weights.sum(axis=1, keepdims=True) @ x""",
        softmax=SOFTMAX,
    )
    assert "for those that you keep: give the others −inf" in told


@pytest.mark.parametrize(
    "lines",
    [
        "    p = torch.softmax(logits / temperature, dim=0)\n    p = p * torch.zeros(len(p))\n    return p / p.sum()\n",
        "    p = torch.softmax(logits / temperature, dim=0)\n    p = torch.relu(p - 1)\n    return p / p.sum()\n",
    ],
)
def test_zeros_that_are_made_otherwise_are_not_told_as_too_small(lines: str) -> None:
    told = said_to("next_probabilities", GREEDY + lines)
    assert "0 / 0" in told
    assert "underflow" not in told
    assert "for those that you keep" not in told


TABLE = """def positional_encoding(T, k):
    t, even = np.arange(T)[:, None], np.arange(0, k, 2)[None, :]
    {}
    p = np.empty((T, k))
    p[:, 0::2], p[:, 1::2] = np.sin(angle), np.cos(angle)
    return p
"""
TOO_LARGE = {
    "an operator": ("angle = t / (10000 ** even) ** (1 / k)", "`10000 ** even` in line 3", "64 bits and come out negative"),
    "a function": ("angle = t / np.power(10000, even) ** (1 / k)", "`np.power(10000, even)` in line 3", "64 bits"),
    "a root": ("angle = t / np.sqrt(np.power(10000, 2 * even)) ** (1 / k)", "`np.power(10000, 2 * even)` in line 3", "64 bits"),
    "32 bits": ("angle = t / (10000 ** even.astype(np.int32)) ** (1 / k)", "`10000 ** even.astype(np.int32)` in line 3", "32 bits"),
    "a product": (
        "angle = t / np.array([np.prod(np.full(e, 10000)) for e in even[0]])[None, :] ** (1 / k)",
        "`np.prod(np.full(e, 10000))` in line 3",
        "64 bits",
    ),
}


@pytest.mark.parametrize("way", TOO_LARGE)
def test_whole_numbers_that_are_too_large_are_named_where_they_are_made(way: str) -> None:
    line, where, bits = TOO_LARGE[way]
    told = said_to("positional_encoding", TABLE.format(line))
    assert f"{where} gives whole numbers; some are too large for {bits}" in told


@pytest.mark.parametrize("line", ["angle = t / (1 - even) ** (1 / k)", "angle = t / (2 ** even - 5) ** (1 / k)"])
def test_whole_numbers_that_are_negative_otherwise_are_not_told_as_too_large(line: str) -> None:
    told = said_to("positional_encoding", TABLE.format(line))
    assert "a negative number has no power that is not whole" in told
    assert "too large" not in told


def test_a_cell_of_classes_and_helpers_is_watched_as_it_runs() -> None:
    told = said_to(
        "repaired_causal_attention",
        """
        def weights_of(scores):
            e = np.exp(scores - scores.max(axis=1, keepdims=True))
            e /= e.sum(axis=1, keepdims=True)
            e **= 4000
            return e / e.sum(axis=1, keepdims=True)

        def repaired_causal_attention(x):
            scores = np.where(np.tri(len(x)) == 1, x @ x.T, -np.inf)
            return weights_of(scores) @ x""",
        softmax=SOFTMAX,
    )
    assert "`e **= 4000` in line 5 makes the zeros: its numbers are too small for float64" in told
    assert np.isfinite(SOFTMAX(np.zeros((2, 2)))).all()
