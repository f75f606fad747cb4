"""What the checks of lesson 5 say to tests of functions: from a record of what such a test does, and the same at every run."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from attnlab import check
from attnlab.diagnosis.probes.functions.recorder import pattern_of, record

from .learner import run_cell, said_to

EQUIVARIANT = """
def is_permutation_equivariant(f, x, atol=1e-6):
    T = len(x)
    if (x == x[0]).all():
        raise ValueError("equal")
    y = f(x)
    orders = itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]
    for order in orders:
        order = list(order)
        left, right = f(x[order]), y[order]
        if not np.abs(left - right).max() <= atol:
            return False
    return True
"""
INVARIANT = EQUIVARIANT.replace("equivariant", "invariant").replace("y[order]", "y")
COMPARED = "if not np.abs(left - right).max() <= atol:"


def told(code: str, *changes: tuple[str, str]) -> str:
    for before, after in changes:
        assert code.count(before) == 1
        code = code.replace(before, after)
    return said_to("is_permutation_invariant" if "invariant" in code else "is_permutation_equivariant", code, itertools=itertools)


@pytest.mark.parametrize("code", [EQUIVARIANT, INVARIANT])
def test_a_right_test_passes_whatever_orders_it_draws(code: str) -> None:
    name = "is_permutation_invariant" if "invariant" in code else "is_permutation_equivariant"
    for seed in range(4):
        np.random.seed(seed)
        getattr(check, name)(run_cell(code, name, itertools=itertools))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ([("itertools.permutations(range(T)) if", "[np.random.permutation(T) for _ in range(12)] if")], "only some orders are tried"),
        (
            [
                (
                    "itertools.permutations(range(T)) if",
                    "[[*range(a), b, *range(a + 1, b), a, *range(b + 1, T)] for b in range(T) for a in range(b)] if",
                )
            ],
            "each with only two tokens swapped",
        ),
        ([("itertools.permutations(range(T)) if", "[[0, *rest] for rest in itertools.permutations(range(1, T))] if")], "token 0 keeps its place"),
        ([("itertools.permutations(range(T)) if", "set() if")], "f is called once, on x, and never on permuted tokens"),
        ([("range(100)", "range(24)")], "too few random orders are tried"),
        ([("np.random.permutation(T) for _", "np.roll(range(T), int(_)) for _")], "only circular shifts"),
        ([("np.random.permutation(T) for _", "np.random.randint(0, T, T) for _")], "some tokens twice"),
        ([("f(x[order])", "f(x[order[:-1]])"), ("y[order]", "y[order[:-1]]")], "3 tokens instead of 4"),
        ([("f(x[order])", "f(x[order].T).T")], "x transposed"),
        ([("f(x[order])", "f(x[order][:, ::-1])")], "permuted components"),
        ([("f(x[order])", "f(x[order] / 2)")], "rows that are not rows of x"),
        ([("f(x[order])", "f(x[order].tolist())")], "a list instead of an array"),
        ([("y[order]", "y[np.argsort(order)]")], "by P and the other by its inverse"),
        ([("f(x[order])", "f(x)")], "only its output is permuted"),
        (
            [("left, right = f(x[order]), y[order]", "x = x[order]; left, right = f(x), y[order]")],
            "f gets the tokens in the order [0, 3, 1, 2], and its result is compared with the rows of f(x) in the order [0, 2, 1, 3]: each round "
            "permutes the tokens of the round before once more",
        ),
        ([("left, right = f(x[order]), y[order]", "y = y[order]; left, right = f(x[order]), y")], "permutes the f(x) of the round before once more"),
        ([("y[order]", "y")], "that is invariance"),
        ([(COMPARED, "if not np.abs(right - right).max() <= atol:")], "something with itself"),
        ([(COMPARED, "if (right - left).max() > atol:")], "the sign matters: results that are larger go unnoticed"),
        ([(COMPARED, "if not np.abs(left[:, 0] - right[:, 0]).max() <= atol:")], "differences in columns 1, 2, 3, 4, 5 go unnoticed"),
        ([(COMPARED, "if not np.abs(left - right)[-1].max() <= atol:")], "differences in rows 0, 1, 2 go unnoticed"),
        ([(COMPARED, "if not np.abs(left.mean(axis=1) - right.mean(axis=1)).max() <= atol:")], "only sums or means"),
        ([(COMPARED, "if not np.abs(np.sort(left, axis=0) - np.sort(right, axis=0)).max() <= atol:")], "both sides are sorted"),
        ([(COMPARED, "if not np.abs(np.abs(left) - np.abs(right)).max() <= atol:")], "not their signs"),
        ([(COMPARED, "if not abs(left.max() - right.max()) <= atol:")], "such as the largest"),
        ([(COMPARED, "if not np.linalg.norm(left - right) <= atol:")], "in a sum or a norm"),
        ([(COMPARED, "if not np.abs(left - right).max() <= 1e-3 * atol:")], "your tolerance is smaller than `atol`"),
        ([(COMPARED, "if not np.abs(left - right).max() <= max(atol, 1e-6):")], "`atol` is not used: making it smaller changes nothing"),
        ([(COMPARED, "if not np.abs(left - right).max() <= min(atol, 1e-6):")], "`atol` is not used: making it larger changes nothing"),
        ([(COMPARED, "if not np.allclose(left, right, atol, 0):")], "takes its third argument as rtol"),
        ([(COMPARED, "if not np.nanmax(np.abs(left - right), initial=0) <= atol:")], "and `np.nanmax` skips it"),
        ([("f, x, atol=1e-6", "f, x"), (COMPARED, "if not np.abs(left - right).max() <= 1e-6:")], "`atol` is missing"),
        ([("(x == x[0]).all()", "(x[0] == x[1]).all()")], "two equal tokens are enough"),
        ([("(x == x[0]).all()", "len(set(x[:, 0])) == 1")], "one equal number is enough"),
        ([("(x == x[0]).all()", "(x == x[0, 0]).all()")], "`x[0, 0]` is the first number"),
        ([("(x == x[0]).all()", "(x == x[0]).any()")], "row 0 always agrees with itself"),
    ],
)
def test_the_record_names_the_cause(changes: list[tuple[str, str]], cause: str) -> None:
    assert cause in told(EQUIVARIANT, *changes)


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ([("f(x[order]), y", "f(x[order]), y[order] if np.ndim(y) > 1 else y")], "that is equivariance"),
        ([("right = f(x[order]), y", "right = f(x[order]), y[order]")], "that is equivariance"),
        ([(COMPARED, "if not all(np.abs(a - b).max() <= atol for a, b in zip(left, right)):")], "with results that are a single number"),
        ([("y = f(x)", "y = f(x).mean(axis=0)"), ("f(x[order])", "f(x[order]).mean(axis=0)")], "only sums or means"),
    ],
)
def test_the_record_names_the_cause_for_invariance_too(changes: list[tuple[str, str]], cause: str) -> None:
    assert cause in told(INVARIANT, *changes)


def test_a_wrong_false_is_not_blamed_on_too_few_orders() -> None:
    text = told(
        EQUIVARIANT, ("itertools.permutations(range(T)) if", "[np.roll(range(T), n) for n in range(T)] if"), (COMPARED, "if (left != right).any():")
    )
    assert "your test says False for D, H" in text and "the numbers are compared exactly" in text and "only some orders" not in text, text


def test_the_first_order_that_agrees_is_told_from_the_first_round() -> None:
    first = told(EQUIVARIANT, ("    return True", "        return True"))
    assert "the loop ends in its first round" in first
    agrees = told(
        EQUIVARIANT,
        (
            f"{COMPARED}\n            return False\n    return True",
            "if np.abs(left - right).max() <= atol:\n            return True\n    return False",
        ),
    )
    assert "as soon as one order agrees" in agrees
    identity = told(EQUIVARIANT, ("order = list(order)", "order = list(range(T))"))
    assert "only in the order of x" in identity
    assert "first round" not in identity


def test_the_last_order_and_all_of_them_are_told_apart() -> None:
    last = told(EQUIVARIANT, (f"{COMPARED}\n            return False\n    return True", "good = np.abs(left - right).max() <= atol\n    return good"))
    assert "False only if that is the last one" in last and "only the last one is left" in last
    most = told(
        EQUIVARIANT,
        ("y = f(x)", "y, bad = f(x), 0"),
        (f"{COMPARED}\n            return False\n    return True", "bad += not np.abs(left - right).max() <= atol\n    return bad < 3"),
    )
    assert "one order that disagrees is not enough" in most
    assert "False only if that is the last one" not in most


def test_an_except_that_swallows_is_proved_by_an_exception_of_f() -> None:
    body = EQUIVARIANT.replace("\n    ", "\n        ").replace("atol=1e-6):", "atol=1e-6):\n    try:")
    assert "an `except` catches everything" in told(f"{body}    except Exception:\n        return False\n")
    assert "`except`" not in told(EQUIVARIANT, ('raise ValueError("equal")', "return False"))


def test_a_verdict_of_an_earlier_function_of_that_name_is_seen() -> None:
    code = (
        INVARIANT.replace("def is_permutation_invariant", "def verdict")
        + """
known = {}
def is_permutation_invariant(f, x, atol=1e-6):
    key = f.__name__, x.shape, atol
    if key not in known:
        known[key] = verdict(f, x, atol)
    return known[key]
"""
    )
    assert "its verdict on an earlier function called f" in said_to("is_permutation_invariant", code, itertools=itertools)


def test_a_loop_that_waits_for_more_orders_than_there_are_is_stopped_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attnlab.diagnosis.limits.SECONDS", 0.5)
    loop = "    found = set()\n    while len(found) < 100:\n        found.add(tuple(np.random.permutation(T)))\n    for order in found:"
    text = told(EQUIVARIANT, ("    for order in orders:", loop))
    assert "four tokens have only 24 orders" in text


def test_all_orders_of_many_tokens_are_seen_by_their_memory() -> None:
    text = told(EQUIVARIANT, ("orders = itertools", "every = list(itertools.permutations(range(T))) if T < 10 else []\n    orders = itertools"))
    assert "memory grows like the number of orders" in text


def test_a_record_holds_orders_and_what_is_odd() -> None:
    x = np.arange(12.0).reshape(4, 3)
    kept = record(lambda f, x: bool(f(x[[2, 0, 3, 1]]).any() and f(x[:, [1, 0, 2]]).any()), lambda order: np.ones(3), x)
    assert kept.orders == [(2, 0, 3, 1)] and kept.calls == 2 and kept.says is True
    assert kept.odd and kept.odd.kind == "columns"
    assert not kept.changed


def test_patterns_are_named_only_where_all_orders_have_them() -> None:
    turns = [(1, 2, 3, 0), (2, 3, 0, 1)]
    assert "circular" in pattern_of(turns)
    assert pattern_of([*turns, (1, 0, 3, 2)]) == ""
    assert pattern_of([(3, 2, 1, 0)]) == "only the reversed one"
    assert pattern_of([(2, 0, 3, 1)]) == ""
