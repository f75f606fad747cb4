"""The exercises of lesson 5, a file each; here stands what several of them need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from attnlab.diagnosis import grading
from attnlab.diagnosis.cause import Cause, Diagnosis, unknown
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Test
from attnlab.diagnosis.limits import CodeTimeoutError, limited
from attnlab.diagnosis.policy import RAISES, reason
from attnlab.diagnosis.probes.functions.differences import nan, seen, too_narrow, too_wide, why
from attnlab.diagnosis.probes.functions.many_tokens import explain_many
from attnlab.diagnosis.probes.functions.refused_tokens import explain_refusals
from attnlab.diagnosis.probes.functions.trials import Trials
from attnlab.diagnosis.probes.functions.verdicts import explain_raised
from attnlab.diagnosis.results.form import close
from attnlab.reference import Case

FOUR = np.random.RandomState(1).normal(size=(4, 6)).round(1)
FIVE_TOKENS = np.random.RandomState(4).permutation(15).reshape(5, 3) / 4
SOON = 1.0  # seconds: what ends with eight tokens ends at once
LINE = "write the rule as one line of code for one permutation, then put a loop over all permutations around it"


def explain_verdicts(verdicts: Any, evidence: Evidence, case: Case, pooled: bool) -> Diagnosis | None:
    """What is wrong with the verdicts on the controls, in letters instead of numbers.

    Args:
        verdicts: `(letters, 1)`, 1 for True.
        evidence: what the learner's test gives.
        case: the input, with the letters.
        pooled: whether the rule is f(Px) = f(x); otherwise f(Px) = P f(x).
    """
    letters, rule = case.arguments[0], "f(Px) = f(x)" if pooled else "f(Px) = P f(x)"
    if close(verdicts, case.expected):
        return None
    wrongly: dict[bool, list[str]] = {True: [], False: []}
    for letter, got, wanted in zip(letters, verdicts.ravel(), case.expected.ravel()):
        if got != wanted:
            wrongly[bool(got)].append(letter)
    observed = " and ".join(
        f"{said} for {', '.join(found)}, which {_agreeing(found, what)}"
        for said, found, what in ((True, wrongly[True], "break the rule"), (False, wrongly[False], "keep it"))
        if found
    )
    cause = reason(evidence.alone(case), case, RAISES)
    if not cause and (found := why(Trials(evidence.answer, pooled), says_true=bool(wrongly[True]))):
        cause = found.cause
    expected = f"True only where {rule} for every order"
    return Diagnosis(f"your test says {observed}", expected, cause or unknown("verdicts.wrong_for_controls", LINE))


def _agreeing(letters: list[str], verb: str) -> str:
    first, rest = verb.split(" ", 1)
    return f"{first}s {rest}" if len(letters) == 1 else verb


def edges_of_tests(pooled: bool) -> dict[str, Test]:
    """What both tests of functions are asked by calls of their own, by name."""

    def with_four(ask: Callable[[Trials], Diagnosis | None]) -> Test:
        def test(evidence: Evidence) -> Diagnosis | None:
            four = evidence.once("four tokens", lambda: Trials(evidence.answer, pooled))
            return _raised(four) or ask(four)

        return test

    def every_order(four: Trials) -> Diagnosis | None:
        five = Trials(four.test, pooled, FIVE_TOKENS)
        return four.orders() or _raised(five) or five.orders() or four.rule() or seen(four)

    return {
        "every order and number": with_four(every_order),
        "small differences": with_four(lambda four: four.first(too_wide(four), errors=True)),
        "a wider tolerance": with_four(lambda four: four.first(too_narrow(four), errors=True)),
        "many tokens": lambda evidence: explain_many(evidence.answer, pooled),
        "equal tokens": lambda evidence: explain_refusals(evidence.answer, pooled),
        "nan": with_four(lambda four: four.first(nan(four), errors=True)),
    }


def _raised(trials: Trials) -> Diagnosis | None:
    """What an exception says, where the test raises one for a function that always gives the same numbers."""
    error = trials.silent.error
    if error is None:
        return None
    return explain_raised(error, trials.test, trials.pooled) or explain_error(error, trials.test)


def never_ends(evidence: Evidence, pooled: bool) -> Diagnosis | None:
    """What is wrong with a test that does not come to an end with four tokens: it would be waited for again and again. A grader waits once."""
    if grading.is_elsewhere(evidence.answer):
        return None
    stopped = _stopped(Trials(evidence.answer, pooled))
    if stopped and _stopped(Trials(evidence.answer, pooled, np.random.RandomState(8).permutation(24).reshape(8, 3) / 4), SOON) is None:
        return stopped.with_cause(
            Cause(
                "verdicts.waits_for_more_orders",
                "your test ends with eight tokens: four tokens have only 24 orders, and a loop that waits for more different ones never ends",
                "for up to five tokens, use `itertools.permutations(range(T))`",
            )
        )
    return stopped


def _stopped(trials: Trials, seconds: float | None = None) -> Diagnosis | None:
    try:
        with limited(seconds):
            assert trials.silent
    except CodeTimeoutError as error:
        return error.diagnosis
    return None
