"""What is kept of a failed test besides its message: who explains it, where it stopped, what the answer gave."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from nbjudge._execution.verdicts import Clue, FailureCause, described

SOLUTION = "def f(x): return 2 * x"
HIDDEN = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"


@pytest.mark.parametrize(
    ("answer", "test", "clue"),
    [
        ("def f(x): return 4", "assert f(3) == 6, 'six'", Clue("author", False, 1, "", 0, "`f` gave 4")),
        ("def f(x): return 4", HIDDEN.format("f(1)\nassert f(3) == 6, 'six'"), Clue("author", True, 3, "", 0, "`f` gave 4")),
        ("def f(x): return 4", "assert f(3) == 6", Clue("", False, 1, "", 0, "`f` gave 4")),
        ("def f(x):\n    return {}[x]", "y = f(3)", Clue("error", False, 1, "KeyError", 2, "")),
        ("class Own(Exception): pass\ndef f(x):\n    raise Own('no')", "y = f(3)", Clue("error", False, 1, "Own", 3, "")),
        ("g = 1", "x = 1\ny = f(3)", Clue("nbjudge", False, 2, "", 0, "")),
        ("def f(x):\n    while True: pass", "y = f(3)", Clue("limit")),
        ("import os\ndef f(x): os._exit(1)", "y = f(3)", Clue("limit")),
        ("def f(x): return 4", "print('only half of it')\n1 if f(3) == 4 else 2", Clue("author", returned="`f` gave 4")),
        ("def f(x): return 4", "1 if f(3) == 4 else 2", Clue("", returned="`f` gave 4")),
    ],
    ids=["visible", "hidden", "no message", "error", "own error", "undefined", "endless", "ended", "part with words", "part"],
)
def test_a_clue_says_who_explains_a_failure_and_where_it_is(verdict_on, answer: str, test: str, clue: Clue) -> None:
    verdict = verdict_on(answer, test, SOLUTION, test_seconds=2)
    assert verdict.has_lost and verdict.clue == clue


REASON = """class Reason:
    id, words, next, is_established = "f.adds", "it adds", "multiply", True
class Wrong({base}):
    cause = Reason
"""
STATED = FailureCause("f.adds", "it adds", "multiply", True)


@pytest.mark.parametrize(
    ("base", "test"),
    [
        ("AssertionError", "raise Wrong('no')"),
        ("ValueError", "f(3)\nraise Wrong('no')"),
        ("str", "assert f(3) == 6, Wrong('no')"),
        ("float", "Wrong(1)"),
        ("float", "Wrong(0)"),
    ],
)
def test_what_a_test_states_is_the_cause(verdict_on, base: str, test: str) -> None:
    verdict = verdict_on("def f(x): return x + 1", REASON.format(base=base) + test, SOLUTION, excuse=False)
    assert (verdict.clue.by, verdict.clue.cause) == ("author", STATED)
    assert "adds" not in f"{verdict.message}{verdict.printed}", "a student reads what the test says, not the cause"


@pytest.mark.parametrize(
    "more",
    [
        "Reason.id = 3",
        "Reason.id = ' '",
        "Reason.id = 'x' * 100_000",
        "Reason.words = ''",
        "Reason.words = b'it adds'",
        "Reason.next = None",
        "Reason.is_established = 1",
        "del Reason.next",
        "Wrong.cause = None",
        "Wrong.cause = 'it adds'",
        "Wrong.cause = property(lambda self: 1 / 0)",
        "Wrong.args = 3",
        "Wrong.cause = f",
        "Wrong.cause = answer",
        "Reason.words = answer",
    ],
)
def test_what_is_no_cause_costs_nothing(verdict_on, more: str) -> None:
    answer = f"def f(x): return x + 1\nclass Own:\n    id, words, next, is_established = {STATED.id!r}, 'x', 'y', True\nanswer = Own()"
    test = f"{REASON.format(base='AssertionError')}{more}\nassert f(3) == 6 or answer.id == 'another', Wrong('no')\nraise Wrong('no')"
    for text in (test, test.replace("assert f(3)", "f(3)")):
        verdict = verdict_on(answer, text, f"{SOLUTION}\nanswer = 1", excuse=False)
        assert verdict.kind == "failed" and verdict.clue.by == "author"
        assert verdict.clue.cause is None or more == "Wrong.args = 3"


def test_a_long_cause_is_cut_and_half_a_character_replaced(verdict_on) -> None:
    test = f"{REASON.format(base='AssertionError')}Reason.words = 'x' * 10**6\nReason.next = '\\ud800'\nf(3)\nraise Wrong('no')"
    cause = verdict_on("def f(x): return x", test, SOLUTION, excuse=False).clue.cause
    assert cause is not None and len(cause.words) < 10_000 and cause.next == "?"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (7, 7.0),
        (1 / 3, 0.33333339),
        (np.ones(3) / 3, np.full(3, 0.33333339)),
        (np.float32(0.1), np.float32(0.1000001)),
        (-0.0, 0.0),
        (torch.ones(20) / 3, torch.full((20,), 0.33333339)),
        (np.array([0.0, -0.0]), np.array([-0.0, 0.0])),
        (1 + 2j, 1.00001 + 2j),
    ],
)
def test_values_that_differ_in_rounding_are_described_alike(one: object, other: object) -> None:
    assert described(one) == described(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        ("1", 1),
        (0.5, 0.51),
        (np.zeros(3), np.zeros((3, 1))),
        (np.zeros(3), torch.zeros(3)),
        (np.arange(9.0), np.arange(9)[::-1] + 0.0),
        (np.arange(90.0), np.where(np.arange(90) == 80, 1.0, np.arange(90.0))),
        ([1, 2], (1, 2)),
        (None, "None"),
        (np.nan, np.inf),
        ("a" * 999, "a" * 998),
        (np.array(["a"]), np.array(["b"])),
        ({"a": 1}, {"a": 2}),
    ],
)
def test_other_values_are_described_otherwise(one: object, other: object) -> None:
    assert described(one) != described(other)


@pytest.mark.parametrize(
    "value",
    [
        10**5000,
        np.zeros((0, 3)),
        np.array([None]),
        torch.tensor(3.0, requires_grad=True),
        torch.zeros(2, dtype=torch.bfloat16),
        "\ud800",
        [np.zeros(10**6)],
        1e400,
        np.datetime64("nat"),
        b"\xff" * 10**6,
    ],
    ids=list("abcdefghij"),
)
def test_every_value_has_a_short_description(value: object) -> None:
    text = described(value)
    assert text and len(text) < 400
