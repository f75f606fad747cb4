"""What a learner's test of functions does with more tokens than it can try all orders of."""

from __future__ import annotations

import itertools
import tracemalloc
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import factorial
from typing import Any

import numpy as np

from attnlab.diagnosis import grading
from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.probes.functions.recorder import MOST_CALLS, Record, pattern_of
from attnlab.diagnosis.probes.functions.trials import Trials
from attnlab.diagnosis.text.facts import SAME_AGAIN, facts_of

WANTED = "at least 100 random orders of more than five tokens"
DRAW = "draw each order separately, at random: `np.random.permutation(T)`"
ENOUGH, UNLIKE = 99, 90  # with the order of x they are 100; a few random ones may be alike
MOST_BYTES = 2 * 2**20
GROWS = 10


def explain_many(test: Callable[..., Any], pooled: bool) -> Diagnosis | None:
    """What is wrong with the orders that are tried of six to eight tokens, and of thirty."""
    is_elsewhere, most = grading.is_elsewhere(test), {6: 0, 8: 0}  # bytes, which nobody sees there
    for T, word in ((6, "six"), (7, "seven"), (8, "eight"), (30, "thirty")):
        trials = Trials(test, pooled, np.random.RandomState(T).permutation(3 * T).reshape(T, 3) / 4)
        if is_elsewhere and T != 8 and _verdicts_are_right(trials):  # how many orders are tried, eight tokens tell
            continue
        tried, most[T] = (trials.silent, 0) if is_elsewhere else _with_memory(trials)
        found = _too_many(tried, word) or _wrong_orders(trials, tried, word)
        if found:
            return found
    if most[8] > max(MOST_BYTES, GROWS * most[6]):
        return Diagnosis(
            f"your test takes {most[6] / 2**20:.2g} MB with six tokens and {most[8] / 2**20:.2g} MB with eight",
            WANTED,
            Cause(
                "many_tokens.all_orders_listed",
                f"memory grows like the number of orders, {factorial(6)} and {factorial(8)}: your code lists them all; 30 tokens have 10³²",
                DRAW,
            ),
        )
    return None


def _verdicts_are_right(trials: Trials) -> bool:
    """Whether a test that is not watched says what it should; one that tries no order, or too many, does not."""
    return [trials.says(f) for f in (trials.same(), trials.keeping(), trials.changed(trials.unlike(1e3)))] == [True, True, False]


def _with_memory(trials: Trials) -> tuple[Record, int]:
    """A first run, and how many bytes it took."""
    tracemalloc.start()
    try:
        return trials.silent, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _too_many(tried: Record, word: str) -> Diagnosis | None:
    if tried.calls <= MOST_CALLS:
        return None
    likely, next_step = "too many orders are tried", "100 random orders are enough for more than five tokens"
    again = sum(order == tuple(sorted(order)) for order in tried.orders)
    calls = Counter(order for order in tried.orders if order != tuple(sorted(order)))
    if _listed(tried):
        likely = f"the orders come one by one from `itertools.permutations`, and {word} tokens have {factorial(len(tried.orders[0]))} of them"
        next_step = "do not try all orders of more than five tokens: draw 100 at random"
    elif calls and min(calls.values()) > 2:
        likely = f"f is called {min(calls.values())} times or more for one and the same order"
        next_step = "call f once for each order, and use its result as often as you need it"
    elif again > len(tried.orders) / 3:
        likely = f"`f(x)` itself is computed again for each order, {again:,} times, and too many orders are tried for that"
        next_step = f"compute `f(x)` once, before the loop; {next_step}"
    return Diagnosis(
        f"with {word} tokens, f is called more than {MOST_CALLS} times",
        f"{WANTED}, and at most {MOST_CALLS} calls of f",
        Cause("many_tokens.too_many_orders", likely, next_step),
    )


def _wrong_orders(trials: Trials, tried: Record, word: str) -> Diagnosis | None:
    if tried.error is not None:
        found = explain_error(tried.error, trials.test)
        return replace(found, observed=f"with {word} tokens, {found.observed}")
    if odd := trials.given():
        return replace(odd, observed=f"with {word} tokens, {odd.observed}")
    T, others = len(trials.x), tried.others
    moves = [order for order in tried.orders if order != trials.own]
    what = f"with {word} tokens, "
    if tried.says is not True:
        return trials.refusing() or Diagnosis(
            f"{what}your test says {tried.verdict} for a function that always gives the same numbers",
            "True",
            Cause(
                "many_tokens.wrong_for_many_only",
                "few tokens come out right, so the mistake is in the part for many tokens",
                "call your test on six tokens",
            ),
        )
    if not others:
        return Diagnosis(
            f"{what}f gets them only in the order of x",
            WANTED,
            Cause("many_tokens.only_identity_tried", f"{what}your test tries no order that changes anything", DRAW),
        )
    pattern = pattern_of(others)
    if _listed(tried) and T == 8:
        pattern = "as `itertools.permutations` lists them: the first tokens stay in place"
    told = f"{what}f gets {len(others)} {'order' if len(others) == 1 else 'orders'} other than that of x{f', {pattern}' if pattern else ''}"
    if T == 8 and len(others) < UNLIKE and (again := [fact for fact in facts_of(trials.test) if fact.id == SAME_AGAIN]):
        return Diagnosis(told, WANTED, again[0].as_cause())
    if T == 8 and (len(moves) < ENOUGH or len(others) < UNLIKE):
        return Diagnosis(
            told,
            WANTED,
            Cause("many_tokens.too_few_random_orders", "too few random orders are tried", f"try at least 100; {DRAW}"),
        )
    places = min(len({order.index(token) for order in others}) for token in range(T))
    if T == 8 and (pattern or places <= T / 2):
        more = "" if pattern else "; some tokens stay in a few places"
        return Diagnosis(told, WANTED, Cause("many_tokens.orders_not_random", f"the orders are not random{more}", DRAW))
    if trials.says(trials.keeping()) is False:
        return Diagnosis(
            f"{what}your test says False for a function that keeps the rule",
            "True",
            Cause(
                "many_tokens.sides_permuted_differently",
                f"{what}the two sides do not use the same order",
                "permute both sides with the same order, as you do for few tokens",
            ),
        )
    if trials.says(trials.changed(trials.unlike(1e3))):
        return Diagnosis(
            f"{what}your test says True for a function that gives different numbers for every order",
            "False",
            Cause("many_tokens.comparison_decides_nothing", f"{what}the comparison has no effect", "compare as you do for few tokens"),
        )
    return None


def _listed(tried: Record) -> bool:
    """Whether the orders come as `itertools.permutations` lists them."""
    first = list(itertools.islice(itertools.permutations(sorted(tried.orders[0])), 1, 30)) if tried.orders else []
    return len(tried.others) >= 29 and tried.others[:29] == first
