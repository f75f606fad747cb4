"""How a learner's test of functions works, found out by what it says to functions that are made for one question each."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import factorial
from typing import Any

import numpy as np

from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.probes.functions.recorder import Answering, Answers, FromF, Odd, Order, Record, asked, pattern_of, record
from attnlab.diagnosis.text.source import cell_of

TOKENS = np.random.RandomState(6).permutation(24).reshape(4, 6) / 8
ABSOLUTE = "take the absolute value of each difference first, `np.abs(left - right)`, then the largest"
EACH = "compare number by number: the largest absolute difference decides"
LOOP = "print the orders in a new cell, and what each does to x"
OF_FALSE = {"trials.only_output_permuted", "trials.verdict_cached_by_name", "trials.f_skipped_for_four", "trials.f_never_called"}
X_CHANGED = Diagnosis(
    "your test changes x",
    "x stays as it was",
    Cause(
        "trials.x_changed_in_place",
        "an in-place operation changes x: the array of whoever calls your test, and what later orders are made of",
        "make a new array for each order: `x[order]`",
    ),
)


@dataclass
class Trial:
    """One question to a test: what it should say to a function, and what is established when it does not."""

    what: str
    answering: Answering
    expected: bool
    cause: Cause
    options: dict[str, float] = field(default_factory=dict)


class Trials:
    """A learner's test, and what it says to functions that keep its rule, or break it in a single respect.

    Args:
        test: the learner's.
        pooled: whether the rule is f(Px) = f(x); otherwise f(Px) = P f(x).
        x: the tokens `(T, k)`, no two of them equal.
    """

    def __init__(self, test: Callable[..., Any], pooled: bool, x: np.ndarray = TOKENS):
        self.test, self.pooled, self.x = test, pooled, x
        self.own: Order = tuple(range(len(x)))
        numbers = (np.random.RandomState(3).permutation(6 if pooled else x.size) + 1) / 8
        self.base: np.ndarray = numbers if pooled else numbers.reshape(x.shape)

    def keeping(self, base: np.ndarray | None = None) -> Answering:
        """A function that keeps the rule."""
        return partial(_kept, self.base if base is None else base, self.pooled)  # no more than that is handed over to the test

    def same(self) -> Answering:
        """A function that always gives the same numbers, one row for all tokens: whatever is compared, it is equal."""
        row = self.base if self.pooled else np.tile(self.base[0], (len(self.x), 1))
        return lambda order: row.copy()

    def changed(self, change: np.ndarray | float | Answering, orders: set[Order] | None = None, base: np.ndarray | None = None) -> Answering:
        """A function that keeps the rule but for a change, in these orders or in all but that of x."""

        keeps, own = self.keeping(base), self.own

        def answering(order: Order) -> np.ndarray:
            result = keeps(order)
            if order != own if orders is None else order in orders:
                result = result + (change(order) if callable(change) else change)
            return result

        return answering

    def unlike(self, size: float) -> Answering:
        """Numbers of either sign, as large as `size` at most and half of it at least, others for each order."""

        shape = self.base.shape

        def change(order: Order) -> np.ndarray:
            draw = np.random.RandomState(sum(token * 7**place for place, token in enumerate(order)) % 2**31)
            return size * draw.uniform(0.5, 1, size=shape) * draw.choice([-1, 1], size=shape)

        return change

    def at(self, *places: tuple[int, int, float]) -> np.ndarray:
        """Zeros but for some numbers: row, column, number. A pooled result has a column for each row and column of these."""
        change = np.zeros_like(self.base)
        for row, column, number in places:
            change[(row + column,) if self.pooled else (row, column)] = number
        return change

    def ask(self, answering: Answering, **options: float) -> Record:
        """One run of the test, of which the verdict is wanted alone."""
        return asked(self.test, Answers(answering, self.x), self.x, **options)

    def watch(self, answering: Answering) -> Record:
        """One run of the test, with its calls."""
        return record(self.test, answering, self.x)

    def says(self, answering: Answering, **options: float) -> bool | None:
        """Its verdict; None where there is none."""
        return self.ask(answering, **options).says

    @cached_property
    def silent(self) -> Record:
        """The test on a function that always gives the same numbers."""
        return self.watch(self.same())

    def first(self, trials: Iterator[Trial], errors: bool = False) -> Diagnosis | None:
        """What the first trial says that does not come out as it should; with `errors`, also of one that stops with an exception."""
        for trial in trials:
            tried = self.ask(trial.answering, **trial.options)
            if errors and tried.error is not None:
                found = explain_error(tried.error, self.test)
                return replace(found, observed=f"{trial.what}: {found.observed}")
            said = tried.says
            if said is not None and said != trial.expected:
                return Diagnosis(f"{trial.what}: your test says {said}", str(trial.expected), trial.cause)
        return None

    def given(self) -> Diagnosis | None:
        """What is wrong with what the test gives to f."""
        if odd := self.silent.odd:
            return Diagnosis(f"f gets {odd.words}", "f gets all tokens of x, each once", _why_odd(odd, len(self.x)))
        if self.silent.changed:
            return X_CHANGED
        return None

    def refusing(self) -> Diagnosis | None:
        """Why a function that gives the same numbers for every order is refused."""
        if self.silent.says is not False:
            return None
        expected = "True for a function that gives the same numbers for every order"
        if swallowing := self.swallows():
            return Diagnosis("your test says False for a function that gives the same numbers for every order", expected, swallowing)
        if self.says(self.unlike(1e3)):
            return Diagnosis(
                "your test says False where nothing differs, and True where everything does",
                expected,
                Cause("trials.verdict_turned_around", "the verdict is inverted", "return True when no order shows a difference"),
            )
        if self.says(lambda order: np.ones_like(self.base)):
            repeated = _repeated(self.test)
            return Diagnosis(
                "your test says True for ones, and False for one row that is the same in every order",
                expected,
                Cause(
                    "trials.different_places_compared",
                    f"your test compares numbers from different places of the results{repeated}",
                    "give each token the whole of what f returns: `np.tile(row, (T, 1))`"
                    if repeated
                    else "compare each number with the one at the same place; reduce over the orders with `axis=0`",
                ),
            )
        return None

    def swallows(self) -> Cause | None:
        """What to say to a test that gives a verdict where f raises an exception; None where the exception comes through."""

        def raising(order: Order) -> np.ndarray:
            raise FromF("f cannot do this")

        tried = self.watch(raising)
        if tried.calls and tried.error is None:
            return Cause(
                "trials.except_swallows_everything",
                f"an `except` catches everything: a function that raises an exception gets {tried.verdict}, and so does any mistake in your code",
                "remove `try` and `except`, and read the error",
            )
        return None

    def orders(self, of_false: bool = False) -> Diagnosis | None:
        """What is wrong with the orders in which few tokens are tried.

        Args:
            of_false: whether only that is asked for which a test may say False by mistake: by too few orders, it never does.
        """
        found = self._orders()
        return None if found and of_false and found.cause.id not in OF_FALSE else found

    def _orders(self) -> Diagnosis | None:
        tried, T = self.silent, len(self.x)
        if tried.says is not True:
            return None
        others, wanted = tried.others, factorial(T)
        expected = f"all {wanted} orders of {T} tokens"
        every = "for up to five tokens, try all orders: `itertools.permutations(range(T))` lists them"
        if not tried.calls:
            return Diagnosis("f is not called", expected, self._uncalled())
        if not others and tried.odd:
            return self.given()
        if not others:
            return Diagnosis(f"f is called {_times(tried.calls)}, with the tokens in the order of x", expected, self._identity())
        if len(others) == 1 < len(self._different()):
            return Diagnosis("f gets one other order if it keeps the rule, and more if it does not", expected, _AGREES)
        if len(others) < wanted - 1:
            pattern = pattern_of(others)
            number = f"{len(others)} {'order' if len(others) == 1 else 'orders'}"
            what = f"f gets {number} other than that of x, out of {wanted - 1}{f': {pattern}' if pattern else ''}"
            few = "only some orders are tried"
            return Diagnosis(what, expected, Cause("trials.only_some_orders_tried", f"{few}: {what}", every, short=few))
        return None

    def _different(self) -> set[Order]:
        """The orders that are tried with a function that gives other numbers at every call."""
        draw = np.random.RandomState(1)
        return set(self.watch(lambda order: draw.normal(size=self.base.shape)).others)

    def _uncalled(self) -> Cause:
        row = self.keeping()(self.own)
        if record(self.test, lambda order: row, self.x, name="another").calls:
            return Cause(
                "trials.verdict_cached_by_name",
                "f is not called, but a function with another name is: your test repeats its verdict on an earlier function called f",
                "keep nothing from one function to the next",
            )
        if record(self.test, lambda order: row, self.x[:3]).calls:
            return Cause(
                "trials.f_skipped_for_four",
                "f is not called with four tokens, but it is with three: an earlier verdict is repeated, a branch leaves f out, or an "
                "iterator that is kept was used up before",
                "call f in every branch, and keep nothing from one function to the next",
            )
        if self._of_eight().calls:
            return Cause(
                "trials.loop_over_orders_empty",
                "f is not called with four tokens, but it is with eight: the loop over all orders of few tokens gets none",
                "print the orders: after `list(...)` or a first loop, an iterator is empty",
            )
        return Cause("trials.f_never_called", "your test decides without calling f", "call f on x, and on x in every other order")

    def _identity(self) -> Cause:
        if not self.pooled and self.says(self.keeping()) is False:
            return Cause(
                "trials.only_output_permuted",
                "the two sides do not use the same order: f always gets the tokens unpermuted, and only its output is permuted",
                "call f on the permuted tokens, and permute f(x) with the same permutation",
            )
        if len(self._different()) > 1:
            return _AGREES
        row = self.keeping()(self.own)
        if any(self.watch(lambda order: row).others for _ in range(3)):
            return Cause(
                "trials.one_random_order", "your test draws one random order, and this time it was that of x", "try all orders of few tokens"
            )
        more = self._of_eight()
        if len(more.others) == 1:
            return Cause(
                "trials.loop_ends_first_round",
                "the loop ends in its first round: with four tokens f gets only the order of x, which changes nothing; with eight it gets one other",
                "move `return True` below the loop, where all orders have been tried",
            )
        if self.silent.calls == 1:
            return Cause(
                "trials.no_order_tried",
                "no other order is tried: f is called once, on x, and never on permuted tokens",
                "call f on the permuted tokens in each round; is there a round? After `list(...)` or a first loop, an iterator is empty",
            )
        return Cause(
            "trials.only_identity_tried",
            "f gets the tokens only in the order of x, which changes nothing: every function passes",
            "try orders that change something; print what you pass to f",
        )

    def _of_eight(self) -> Record:
        return Trials(self.test, self.pooled, np.arange(48.0).reshape(8, 6)).silent

    def rule(self) -> Diagnosis | None:
        """Why a function that keeps the rule is refused, though one that gives the same row everywhere is not."""
        if self.silent.says is True and self.says(self.keeping()) is False:
            what, expected = "a function that keeps the rule exactly: your test says False", "True"
            if self.says(lambda order: self.base.copy()):
                return Diagnosis(
                    what, expected, Cause("trials.invariance_tested", "f(Px) is compared with f(x): that is invariance", "permute f(x), too")
                )
            if self.says(lambda order: self.base[np.argsort(order)]):
                return Diagnosis(
                    what,
                    expected,
                    Cause(
                        "trials.inverse_on_one_side",
                        "the two sides do not use the same order: one is permuted by P and the other by its inverse, or one of them twice",
                        "permute f(x) and the tokens with the same order; `argsort` of an order gives its inverse",
                    ),
                )
            return self._permuted_again(what, expected)
        return self._other_rule() if self.pooled else None

    def _permuted_again(self, what: str, expected: str) -> Diagnosis | None:
        """A test that permutes again, in each round, what it has permuted in the round before: the tokens, or f(x)."""
        for is_tokens, of_before, step in (
            (True, "the tokens of the round before", "give the permuted tokens a name of their own, so that every round begins with x"),
            (False, "the f(x) of the round before", "give the permuted f(x) a name of its own, so that every round begins with f(x)"),
        ):
            if not self.says(self._by_rounds(is_tokens)):
                continue
            rows = self._rows_by_rounds(is_tokens)
            given, compared = next(((order, one) for order in self.silent.orders if (one := rows(order)) != order), (self.own, self.own))
            words = f"f gets the tokens in the order {list(given)}, and its result is compared with the rows of f(x) in the order {list(compared)}"
            return Diagnosis(what, expected, Cause("trials.permuted_again", f"{words}: each round permutes {of_before} once more", step))
        return None

    def _by_rounds(self, is_tokens: bool) -> Answering:
        """A function that keeps the rule for a test that permutes again what it has permuted before."""
        rows = self._rows_by_rounds(is_tokens)
        return lambda order: self.base[list(rows(order))]

    def _rows_by_rounds(self, is_tokens: bool) -> Callable[[Order], Order]:
        """The order of the rows of f(x) that a test compares with, from those in which f gets the tokens, call by call.

        Args:
            is_tokens: whether it is the tokens that are permuted again; else it is f(x).
        """
        held = [self.own]

        def rows(order: Order) -> Order:
            before = held[0]
            held[0] = order if is_tokens else tuple(before[place] for place in order)
            return tuple(map(before.index, order)) if is_tokens else held[0]

        return rows

    def _other_rule(self) -> Diagnosis | None:
        """What else than invariance is tested, told by results that have a row for each token."""
        rows = np.arange(24.0).reshape(4, 6)
        moving = self.says(lambda order: rows[list(order)])
        if moving and self.says(lambda order: rows) is False:
            return Diagnosis(
                "a function whose rows move with the tokens: your test says True, and False for rows that stay",
                "the other way round",
                Cause(
                    "trials.equivariance_tested",
                    "f(Px) is compared with the permuted f(x): that is equivariance",
                    "compare it with f(x) itself",
                ),
            )
        if moving is False and self.silent.error and self.says(lambda order: rows) and self.says(lambda order: rows * (1 + order[0])):
            return Diagnosis(
                "a function that gives different rows for every order: your test says True",
                "False",
                Cause(
                    "trials.negated_equivariance_tested",
                    "your test says True for every function that is not equivariant, but some are neither equivariant nor invariant",
                    "compare f(x permuted) with f(x) itself",
                ),
            )
        return None


def _kept(base: np.ndarray, pooled: bool, order: Order) -> np.ndarray:
    return base.copy() if pooled else base[list(order)]


def _repeated(test: Callable[..., Any]) -> str:
    """What `np.repeat` without an axis does, where one line of the test has it; "" elsewhere."""
    calls = [node for node in ast.walk(cell_of(test)) if isinstance(node, ast.Call) and ast.unparse(node.func) in ("np.repeat", "numpy.repeat")]
    if len(calls) != 1 or len(calls[0].args) + len(calls[0].keywords) > 2:
        return ""
    return f": `np.repeat` in line {calls[0].lineno} repeats each number in turn (a a b b), not the whole (a b a b)"


def _why_odd(odd: Odd, T: int) -> Cause:
    words, next_step = f"f gets {odd.words}", "f should get all tokens of x, each once, in another order: print what you pass to it"
    match odd.kind:
        case "columns":
            words, next_step = f"the columns of x are permuted, not its rows: {words}", "tokens are rows: permute the first axis"
        case "axes" if len(odd.shape) > 2 and odd.shape[:2] == (1, T):
            words += "; an index that is None adds such an axis, and functions that shuffle in place return None"
        case "axes":
            next_step = "call f once for each order, with `x[order]`, where the order is a list of T whole numbers"
        case "repeated":
            next_step = "draw without replacement: `np.random.permutation(T)`"
    return Cause(f"trials.gets_{odd.kind}", words, next_step)


_AGREES = Cause(
    "trials.one_agreement_enough",
    "your test says True as soon as one order agrees, and tries more only after one that does not",
    "return False at the first order that does not agree, and True after the loop",
)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
