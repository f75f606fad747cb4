"""`is_permutation_equivariant(f, x)`, a test for f(Px) = P f(x): on functions that must pass and functions that must not, part by part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from attnlab.diagnosis.cause import Cause, Diagnosis, unknown
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise, Input, Test
from attnlab.diagnosis.probes.functions.refused_tokens import UNLIKE
from attnlab.diagnosis.probes.functions.trials import ABSOLUTE, X_CHANGED, Trials
from attnlab.diagnosis.probes.functions.verdicts import one_verdict, verdicts
from attnlab.exercises.permutation_test import FOUR, edges_of_tests, explain_verdicts, never_ends

EASY = "seven clear functions on four tokens"
THIRTY = np.random.RandomState(9).permutation(180).reshape(30, 6) / 16
TWO_EQUAL = np.random.RandomState(10).permutation(24).reshape(4, 6)[[0, 1, 1, 2]] / 8
LETTERS = "ABCDEFGHIJ"

Question = tuple[str, np.ndarray, Callable[[np.ndarray], np.ndarray], bool]


def _on(label: str, x: np.ndarray, letters: str, shown: str = "") -> Test:
    """What is wrong with the verdicts on the functions of some letters, for other tokens.

    Args:
        label: of the input whose expected verdicts are those of the letters.
        x: the tokens.
        letters: of the functions.
        shown: what the tokens are; "" where the lesson shows them.
    """

    def test(evidence: Evidence) -> Diagnosis | None:
        case = next(case for case in evidence.cases if case.label == label)
        places = [case.arguments[0].index(letter) for letter in letters]
        asked = replace(case, label=shown or label, arguments=[letters, x], expected=case.expected[places])
        tokens = x.copy()
        try:
            given: Any = verdicts(evidence.answer, letters, tokens)
        except Exception as error:  # whatever a learner's code raises is what has to be explained
            found = explain_error(error, evidence.answer)
        else:
            found = explain_verdicts(given, evidence, asked, pooled=False)
            if not found and not np.array_equal(tokens, x):
                found = X_CHANGED
        return replace(found, observed=f"with {shown}, {found.observed}") if found and shown else found

    return test


def _asked(questions: Sequence[Question], otherwise: Cause) -> Test:
    """What is wrong with the verdicts on functions, one by one.

    Args:
        questions: what a function is called, the tokens, the function, and the verdict.
        otherwise: what to say where another verdict comes out.
    """

    def test(evidence: Evidence) -> Diagnosis | None:
        for what, tokens, f, expected in questions:
            try:
                said = one_verdict(evidence.answer, f, tokens.copy(), what)
            except Exception as error:  # whatever a learner's code raises is what has to be explained
                found = explain_error(error, evidence.answer)
                return replace(found, observed=f"for {what}, {found.observed}")
            if said is not expected:
                return Diagnosis(f"for {what}, your test says {said}", str(expected), otherwise)
        return None

    return test


OTHER_RESULTS = unknown(
    "is_permutation_equivariant.other_results",
    "give what you create the shape and the type of f's result, not of x",
    "other functions come out right",
)


def _of_other_results(x: np.ndarray) -> list[Question]:
    """Functions whose results are wider or narrower than the tokens, or no whole numbers where these are."""
    whole = (16 * x).astype(int)
    return [
        ("a function that gives two numbers for each token", x, lambda x: x[:, :2] ** 2, True),
        ("a function that gives nine numbers for each token", x, lambda x: np.cumsum(np.tile(x, 2), axis=0)[:, :9], False),
        ("a function that gives decimals for tokens of integers", whole, lambda x: x / 3, True),
        ("a function that gives decimals for tokens of integers", whole, lambda x: x + 0.4 * (x == x[0]), False),
    ]


def _of_some_orders(x: np.ndarray) -> list[Question]:
    """Functions that break the rule in every other order, in the last row alone, or in one order of six: among 100 orders, some show it."""
    last = np.arange(len(x))[:, None] == len(x) - 1
    turned = [(column, np.roll(x, -int(x[:, column].argmax()) - 1, axis=0)) for column in range(x.shape[1])]  # the largest number comes last
    return [
        *(
            (
                "a function that gives other numbers in one order of six",
                tokens,
                lambda x, at=column: x * (1 + (x[:, at].argmax() < len(x) // 6)),
                False,
            )
            for column, tokens in turned
        ),
        ("a function that gives another last row in every other order", x, lambda tokens: tokens + last * (not np.array_equal(tokens, x)), False),
    ]


UNLIKE_WRONG = unknown("is_permutation_equivariant.unlike_tokens", "begin with the parts above: which orders are tried, and what is compared?")
UNLIKE_TOKENS: list[Question] = [
    (f"a function that {rule} the rule, on {what}", tokens, lambda x, by=factors: (x > x.min(axis=0)) * by[: len(x), None], expected)
    for what, tokens, _ in UNLIKE
    for rule, factors, expected in (("breaks", np.arange(8.0, 0.0, -1.0), False), ("keeps", np.full(8, 2.0), True))
]


TIES = unknown("is_permutation_equivariant.ties", "an order that exchanges two equal tokens leaves x as it is, but not P f(x): it counts, too")


def _by_place(x: np.ndarray) -> np.ndarray:
    """How many tokens before each one are equal to it: two equal tokens get different numbers."""
    return np.array([[float((x[:place] == token).all(axis=1).sum())] for place, token in enumerate(x)])


def _either_sign(evidence: Evidence) -> Diagnosis | None:
    """What is wrong with a test that sees differences of one sign alone, in a single number."""
    trials = Trials(evidence.answer, pooled=False)
    for number in (2e-6, -2e-6):
        if trials.says(trials.changed(trials.at((3, 2, number)))):
            return Diagnosis(
                f"one number that differs by {number:g} in every order except that of x: your test says True",
                "False",
                Cause("differences.absolute_value_missing", "the sign matters, so the absolute value is missing or is taken too late", ABSOLUTE),
            )
    return None


def _all_of(*tests: Test) -> Test:
    """The first that finds something, in a test that says True or False."""

    def test(evidence: Evidence) -> Diagnosis | None:
        return next((found for one in tests if (found := one(evidence))), None)

    return test


EDGES = edges_of_tests(pooled=False)
EXERCISE = Exercise(
    title="a test for f(Px) = P f(x)",
    inputs=[Input("ten functions on four tokens", [LETTERS, FOUR]), Input(EASY, ["ABDEFHU", FOUR])],
    call=verdicts,
    is_yes_or_no=True,
    properties={"verdicts": lambda given, evidence: explain_verdicts(given, evidence, evidence.cases[0], pooled=False)},
    edges={
        "clear cases": _on(EASY, FOUR, "ABDEFHU"),
        **EDGES,
        "equal tokens": _all_of(
            EDGES["equal tokens"],
            _on(EASY, TWO_EQUAL, "BF", "tokens of which two are equal"),
            _asked([("a function that gives two equal tokens different numbers, by their place", TWO_EQUAL, _by_place, False)], TIES),
            _asked(UNLIKE_TOKENS, UNLIKE_WRONG),
        ),
        "every order and number": _all_of(EDGES["every order and number"], _asked(_of_other_results(FOUR), OTHER_RESULTS)),
        "many tokens": _all_of(
            EDGES["many tokens"],
            _on("ten functions on four tokens", THIRTY, LETTERS, "thirty tokens"),
            _asked([*_of_other_results(THIRTY), *_of_some_orders(THIRTY)], OTHER_RESULTS),
        ),
        "small differences": _all_of(_on(EASY, FOUR, "B"), EDGES["small differences"], _either_sign),
    },
    stages={
        "one order": ["clear cases", EASY],
        "every order": ["ten functions on four tokens", "every order and number"],
        "equal tokens": ["equal tokens"],
        "many tokens": ["many tokens"],
        "tolerance and nan": ["small differences", "a wider tolerance", "nan"],
    },
    stops=partial(never_ends, pooled=False),
)
