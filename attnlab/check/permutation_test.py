"""The visible checks of lesson 5."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.diagnosis import calls
from attnlab.diagnosis.cause import Cause, CheckFailed, Diagnosis, unknown
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.examine import Property, examine
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.limits import TooLong, limited
from attnlab.diagnosis.policy import RAISES, reason
from attnlab.diagnosis.probes.functions.differences import nan, seen, too_narrow, too_wide, why
from attnlab.diagnosis.probes.functions.many_tokens import explain_many
from attnlab.diagnosis.probes.functions.refused_tokens import explain_refusals
from attnlab.diagnosis.probes.functions.trials import Trials
from attnlab.diagnosis.results.compare import close
from attnlab.reference import Case

Test = Callable[..., bool]

FOUR_TOKENS = np.array([[0.3, -1.2, 0.8], [1.1, 0.4, -0.5], [-0.7, 0.9, 0.2], [0.6, -0.1, 1.4]])
FIVE_TOKENS = np.random.RandomState(4).permutation(15).reshape(5, 3) / 4
SECONDS = 5  # for one function on four tokens: 25 calls of it
LINE = "write the rule as one line of code for one permutation, then put a loop over all of them around it"


def permute_tokens(answer: Callable[..., np.ndarray]) -> None:
    """Check `permute_tokens(x, permutation)`: rows move, columns stay."""
    examine("permute_tokens", answer, edges={"a permutation that is a tuple": lambda: _takes_a_tuple(answer)})


def is_permutation_equivariant(answer: Test) -> None:
    """Check the test for f(Px) = P f(x) part by part, on functions that must pass and functions that must not, and say which parts stand."""
    shown, easy = reference.cases("is_permutation_equivariant")
    _stop_what_never_ends("is_permutation_equivariant", answer, pooled=False)
    verdicts = _right_verdicts(answer, shown, pooled=False)
    examine(
        "is_permutation_equivariant",
        answer,
        {"verdicts": verdicts},
        {"clear cases": lambda: _explain_easy(answer, easy), **_edges(answer, pooled=False)},
        {
            "one order compared": ["clear cases", easy.label],
            "every order": [shown.label, "every order and number"],
            "data that show nothing refused": ["equal tokens"],
            "many tokens": ["many tokens"],
            "tolerance and nan": ["small differences", "a wider tolerance", "nan"],
        },
    )


def is_permutation_invariant(answer: Test) -> None:
    """Check the test for f(Px) = f(x) on functions that must pass and functions that must not."""
    shown = reference.cases("is_permutation_invariant")[0]
    _stop_what_never_ends("is_permutation_invariant", answer, pooled=True)
    examine(
        "is_permutation_invariant",
        answer,
        {"verdicts": _right_verdicts(answer, shown, pooled=True)},
        {**_edges(answer, pooled=True), "results of any shape": lambda: _any_shape(Trials(answer, pooled=True))},
    )


def causal_mask(answer: Callable[[int], np.ndarray]) -> None:
    """Check `causal_mask(T)`: truth values, True where query i may look at key j."""
    examine("causal_mask", answer, {"truth values": _truth_values})


def positional_encoding(answer: Callable[[int, int], np.ndarray]) -> None:
    """Check `positional_encoding(T, k)`: sine in even columns, cosine in odd ones."""
    examine("positional_encoding", answer)


def repaired_causal_attention(answer: Callable[[np.ndarray], np.ndarray]) -> None:
    """Check the repaired attention of the clinic."""
    examine("repaired_causal_attention", answer)


def _takes_a_tuple(answer: Callable[..., np.ndarray]) -> Diagnosis | None:
    expected = FOUR_TOKENS[[1, 3, 0, 2]]
    try:
        result = answer(FOUR_TOKENS.copy(), (1, 3, 0, 2))
    except IndexError as error:
        return Diagnosis(
            f"the tuple (1, 3, 0, 2) raised IndexError: {error}",
            "the rows 1, 3, 0, 2",
            Cause(
                "permutation_test.numpy_takes_tuple_index", "NumPy takes a tuple for one index per axis", "make a list of it: `x[list(permutation)]`"
            ),
        )
    except Exception as error:  # whatever else a learner's code raises is what has to be explained
        return explain_error(error, answer)
    return (
        None
        if np.array_equal(result, expected)
        else Diagnosis(
            "the tuple (1, 3, 0, 2) gives other rows than the list",
            "the same rows",
            Cause(
                "permutation_test.lists_tuples_treated_differently",
                "lists and tuples are treated differently",
                "make a list of the permutation first",
            ),
        )
    )


def _explain_easy(answer: Test, case: Case) -> Diagnosis | None:
    """What is wrong with the verdicts on functions that one order of the tokens is enough to tell apart."""
    letters, x = case.arguments
    try:
        verdicts = calls.verdicts(answer, letters, x.copy())
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        return explain_error(error, answer)
    return _right_verdicts(answer, case, pooled=False)(verdicts, lambda holds: False)


def _right_verdicts(answer: Test, case: Case, pooled: bool) -> Property:
    """A property of the verdicts on the controls, in letters instead of numbers."""
    letters, rule = case.arguments[0], "f(Px) = f(x)" if pooled else "f(Px) = P f(x)"

    def explain(verdicts: Any, *_: Any) -> Diagnosis | None:
        if close(verdicts, case.expected):
            return None
        wrongly: dict[bool, list[str]] = {True: [], False: []}
        for letter, got, wanted in zip(letters, verdicts.ravel(), case.expected.ravel()):
            if got != wanted:
                wrongly[bool(got)].append(letter)
        observed = " and ".join(
            f"{said} for {', '.join(found)}, which {_agreeing(found, what)}"
            for said, found, what in ((True, wrongly[True], "break the rule for some order"), (False, wrongly[False], "keep it for every order"))
            if found
        )
        name = "is_permutation_invariant" if pooled else "is_permutation_equivariant"
        cause = reason(Evidence(name, answer, calls.verdicts, [case]), case, RAISES)
        if not cause and (found := why(Trials(answer, pooled))):
            cause = found.cause
        return Diagnosis(
            f"your test says {observed}",
            f"True exactly where {rule} for every order of the tokens",
            cause or unknown("permutation_test.verdicts", LINE),
        )

    return explain


def _agreeing(letters: list[str], verb: str) -> str:
    first, rest = verb.split(" ", 1)
    return f"{first}s {rest}" if len(letters) == 1 else verb


def _edges(answer: Test, pooled: bool) -> dict[str, Callable[[], Diagnosis | None]]:
    four, five = Trials(answer, pooled), Trials(answer, pooled, FIVE_TOKENS)
    return {
        "every order and number": lambda: _raised(four) or four.orders() or _raised(five) or five.orders() or four.rule() or seen(four),
        "small differences": lambda: _raised(four) or four.first(too_wide(four), errors=True),
        "a wider tolerance": lambda: _raised(four) or four.first(too_narrow(four), errors=True),
        "many tokens": lambda: explain_many(answer, pooled),
        "equal tokens": lambda: explain_refusals(answer, pooled),
        "nan": lambda: _raised(four) or four.first(nan(four), errors=True),
    }


def _raised(trials: Trials) -> Diagnosis | None:
    """What an exception says, where the test raises one for a function that always gives the same numbers."""
    error = trials.silent.error
    if error is None:
        return None
    found = calls.explain_raised(error, trials.test, trials.pooled)
    return found or explain_error(error, trials.test)


def _any_shape(trials: Trials) -> Diagnosis | None:
    """What is wrong with verdicts on functions whose results have no axis, or some."""
    for shape in ((), (4, 2), (2, 3, 2)):
        what = f"results of shape {shape}" if shape else "results that are one number, a float"
        for more, expected in ((0.0, True), (1.0, False)):
            tried = trials.ask(lambda order, shape=shape, more=more: 0.5 * (np.ones(shape) if shape else 1.0) + more * (order != trials.own))
            if tried.error is not None:
                found = explain_error(tried.error, trials.test)
                return replace(found, observed=f"with {what}, {found.observed}")
            if tried.says is not expected:
                return Diagnosis(
                    f"with {what}, all alike{', but one' if more else ''}: your test says {tried.verdict}",
                    str(expected),
                    unknown(
                        "permutation_test.results_axis_come_out",
                        "compare number by number, however many axes there are",
                        "results with one axis come out right",
                    ),
                )
    return None


def _stop_what_never_ends(exercise: str, answer: Test, pooled: bool) -> None:
    """Say so at once when a test does not come to an end with four tokens: it would be waited for again and again."""
    stopped = _stopped(Trials(answer, pooled))
    if stopped is None:
        return
    if _stopped(Trials(answer, pooled, np.random.RandomState(8).permutation(24).reshape(8, 3) / 4)) is None:
        stopped = stopped.with_cause(
            Cause(
                "permutation_test.waits_for_more_orders",
                "with eight tokens your test comes to its end: four tokens have no more than 24 orders, and a loop "
                "that waits for more different ones never ends",
                "for up to five tokens, take `itertools.permutations(range(T))`",
            )
        )
    raise CheckFailed(f"{exercise}: stopped", stopped)


def _stopped(trials: Trials) -> Diagnosis | None:
    try:
        with limited(SECONDS):
            assert trials.silent
    except TooLong as error:
        return error.diagnosis
    return None


def _truth_values(mask: Any, *_: Any) -> Diagnosis | None:
    if mask.dtype.kind == "b":
        return None
    return Diagnosis(
        f"your mask holds {mask.dtype}",
        "truth values, bool",
        Cause(
            "permutation_test.ones_zeros_numbers_add",
            "ones and zeros, or numbers to add to the scores, were returned",
            "a comparison such as `<=` gives truth values",
        ),
    )
