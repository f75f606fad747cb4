"""What a learner's test does with the function that it is given: how often it calls it, and with which tokens in which order."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from attnlab.diagnosis import grading
from attnlab.diagnosis.cause import enumerated
from attnlab.diagnosis.results.form import type_in_words

Order = tuple[int, ...]
Answering = Callable[[Order], Any]  # what the function gives for the tokens in this order

MOST_CALLS = 2500  # as the cards say


class FromF(ArithmeticError):
    """What a function raises whose own exceptions are to come through."""


@dataclass(frozen=True)
class Odd:
    """An argument that is not all tokens of x, each once.

    Attributes:
        kind: "type", "number", "repeated", "axes", "columns", "transposed", "shape" or "rows": what is odd about it.
        words: the same for a message; they go on after "f gets".
        shape: its shape.
        tokens: how many tokens of x it is made of; 0 where it is not made of them.
    """

    kind: str
    words: str
    shape: tuple[int, ...] = ()
    tokens: int = 0


@dataclass
class Record:
    """One run of a learner's test.

    Attributes:
        verdict: what it returned.
        error: what it raised in place of that.
        orders: for each call of the function with all tokens once, which row of x stood in which place.
        calls: how many calls there were in all.
        odd: the first argument that is not all tokens of x, each once; None where there was none.
        changed: whether x has other numbers after the test.
    """

    verdict: Any = None
    error: Exception | None = None
    orders: list[Order] = field(default_factory=list)
    calls: int = 0
    odd: Odd | None = None
    changed: bool = False

    @property
    def says(self) -> bool | None:
        """The verdict, or None where there is none."""
        return bool(self.verdict) if self.error is None and isinstance(self.verdict, (bool, np.bool_)) else None

    @property
    def others(self) -> list[Order]:
        """The different orders in which x was not left as it is, as they came."""
        return [order for order in dict.fromkeys(self.orders) if order != tuple(sorted(order))]


_called: WeakKeyDictionary[Answers, int] = WeakKeyDictionary()


class Answers:
    """A function that answers by the order of its tokens, and notes nothing but how often it was called: a grader need not be asked.

    Args:
        answering: what it gives for each order.
        x: tokens `(T, k)` of which no two are equal.
    """

    def __init__(self, answering: Answering, x: np.ndarray):
        self.__name__ = self.__qualname__ = "f"
        self._answering, self._x = answering, x

    def __call__(self, tokens: Any) -> Any:
        """The answer for these tokens."""
        _called[self] = _called.get(self, 0) + 1  # it stays what it is, so a grader need not look at how it changes
        _only_so_often(_called[self])
        return self.answer(tokens, _order_of(tokens, self._x))

    def answer(self, tokens: Any, order: Order | None) -> Any:
        """The answer for these tokens, whose order is known."""
        own = tuple(range(len(self._x)))
        if order is not None and sorted(order) == list(own):
            return self._answering(order)
        return self._answering(own) if np.shape(tokens) == self._x.shape else np.ones(np.shape(tokens))


def _only_so_often(calls: int) -> None:
    if calls > MOST_CALLS:
        raise RuntimeError(f"f was called more than {MOST_CALLS} times")


def asked(test: Callable[..., Any], f: Callable[..., Any], x: np.ndarray, **options: float) -> Record:
    """What a learner's test says to a function; nothing of its calls is written down, and what is printed is not shown.

    Args:
        test: the learner's.
        f: the function.
        x: the tokens `(T, k)`.
        options: for the test, such as `atol`.

    Raises:
        Exception: what a grader raises in the place of the test, when the learner has nothing to do with it.
    """
    kept, given = Record(), x.copy()
    try:
        with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
            kept.verdict = test(f, given, **options)
    except Exception as error:  # whatever a learner's code raises is part of the record
        if grading.is_nobodys(error) or grading.is_explained(error):
            raise
        kept.error = error
    kept.changed = not np.array_equal(given, x)
    return kept


def record(test: Callable[..., Any], answering: Answering, x: np.ndarray, name: str = "f") -> Record:
    """The same, and how the test calls a function that answers by the order of its tokens.

    Args:
        test: the learner's.
        answering: what the function gives for each order.
        x: tokens `(T, k)` of which no two are equal.
        name: what the function is called.

    Raises:
        Exception: what a grader raises in the place of the test, when the learner has nothing to do with it.
    """
    answers, own = Answers(answering, x), list(range(len(x)))
    seen: list[tuple[Order | None, Odd | None]] = []  # a list: see grading.py

    def f(tokens: Any) -> Any:
        order = _order_of(tokens, x)
        whole = order is not None and sorted(order) == own
        seen.append((order if whole else None, None if whole and isinstance(tokens, np.ndarray) else _describe(tokens, x, order)))
        _only_so_often(len(seen))
        return answers.answer(tokens, order)

    f.__name__ = f.__qualname__ = name
    kept = asked(test, f, x)
    kept.calls, kept.orders = len(seen), [order for order, _ in seen if order is not None]
    kept.odd = next((odd for _, odd in seen if odd), None)
    return kept


def pattern_of(orders: Iterable[Order]) -> str:
    """What some orders other than that of x have in common, in words; "" where that is nothing simple."""
    found = list(orders)
    T = len(found[0])
    start = np.arange(T)
    if found == [tuple(start[::-1].tolist())] and T > 2:
        return "only the reversed one"
    turns = {tuple(np.roll(start, step).tolist()) for step in range(T)}
    if len(found) > 1 and turns.issuperset(found):
        return "only circular shifts, which leave each token beside its neighbours"
    if all(sum(a != b for a, b in zip(order, start)) == 2 for order in found):
        return "each with only two tokens swapped" if len(found) > 1 else "with two tokens swapped"
    fixed = [place for place in range(T) if all(order[place] == place for order in found)]
    if len(found) > 1 and fixed:
        return (
            f"in all of them {'token' if len(fixed) == 1 else 'tokens'} {enumerated(fixed)} {'keeps its' if len(fixed) == 1 else 'keep their'} place"
        )
    return ""


def _order_of(tokens: Any, x: np.ndarray) -> Order | None:
    """Which row of x each row is; None where one is none of them."""
    try:
        rows = np.asarray(tokens, dtype=float)
    except (TypeError, ValueError):
        return None
    if rows.ndim != 2 or rows.shape[1] != x.shape[1]:
        return None
    same = np.abs(rows[:, None] - x[None]).max(axis=2) < 1e-9
    return tuple(same.argmax(axis=1).tolist()) if same.any(axis=1).all() else None


def _describe(tokens: Any, x: np.ndarray, order: Order | None) -> Odd:
    """What is odd about an argument that is not all tokens of x, each once."""
    T, shape = len(x), np.shape(tokens)
    if not isinstance(tokens, np.ndarray):
        return Odd("type", f"{type_in_words(tokens)} instead of an array")
    if order is not None and len(order) != T:
        return Odd("number", f"{len(order)} tokens instead of {T}", shape, len(order))
    if order is not None:
        missing = sorted(set(range(T)) - set(order))
        some = f"some tokens twice, and {'token' if len(missing) == 1 else 'tokens'} {enumerated(missing)} of x not at all"
        return Odd("repeated", some, shape, len(order))
    if len(shape) != 2:
        return Odd("axes", f"an array of shape {shape} instead of one sequence of shape {x.shape}", shape)
    rows = np.asarray(tokens, dtype=float)
    if shape == x.shape and all(np.allclose(np.sort(row), np.sort(wanted)) for row, wanted in zip(rows, x)):
        return Odd("columns", "tokens with permuted components", shape)
    if shape == x.T.shape and all(any(np.allclose(row, column) for column in x.T) for row in rows):
        return Odd("transposed", "x transposed", shape)
    return Odd("shape", f"an array of shape {shape}", shape) if shape != x.shape else Odd("rows", "rows that are not rows of x", shape)
