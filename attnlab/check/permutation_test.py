"""The visible checks of lesson 5."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.check import calls, controls
from attnlab.check.compare import close
from attnlab.check.diagnosis import NOT_KNOWN, Diagnosis
from attnlab.check.engine import Property, examine
from attnlab.check.raised import explain_error
from attnlab.reference import Case

Test = Callable[..., bool]

FOUR_TOKENS = np.array([[0.3, -1.2, 0.8], [1.1, 0.4, -0.5], [-0.7, 0.9, 0.2], [0.6, -0.1, 1.4]])
EIGHT_TOKENS = np.array([[0.1, 1, 0.2], [0.9, -1, 0.4], [-0.3, 0.5, 1], [0.4, 0.2, -0.6],
                         [-1.1, 0.3, 0.7], [0.6, -0.8, 0.1], [1.3, 0.6, -0.2], [-0.5, -0.4, 0.9]])


def permute_tokens(answer: Callable[..., np.ndarray]) -> None:
    """Check `permute_tokens(x, permutation)`: rows move, columns stay."""
    examine("permute_tokens", answer, edges={"a permutation that is a tuple": lambda: _takes_a_tuple(answer)})


def is_permutation_equivariant(answer: Test) -> None:
    """Check the test for f(Px) = P f(x) part by part, on functions that must pass and functions that must not, and say which parts stand."""
    shown, easy = reference.cases("is_permutation_equivariant")
    rule = "f(Px) = P f(x)"
    examine("is_permutation_equivariant", answer, {"verdicts": _right_verdicts(shown, rule)},
            {"clear cases": lambda: _explain_easy(answer, easy, rule), **_edges(answer, pooled=False)},
            {"one order compared": ["clear cases", easy.label], "every order": [shown.label, "one order of 24"],
             "data that show nothing refused": ["equal tokens"], "many tokens": ["many tokens"],
             "tolerance and nan": ["faint traces", "a wider tolerance", "nan"]})


def is_permutation_invariant(answer: Test) -> None:
    """Check the test for f(Px) = f(x) on functions that must pass and functions that must not."""
    shown = reference.cases("is_permutation_invariant")[0]
    examine("is_permutation_invariant", answer, {"verdicts": _right_verdicts(shown, "f(Px) = f(x)")}, _edges(answer, pooled=True))


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
        return Diagnosis(f"the tuple (1, 3, 0, 2) raised IndexError: {error}", "the rows 1, 3, 0, 2",
                         "NumPy takes a tuple for one index per axis", "make a list of it: `x[list(permutation)]`")
    except Exception as error:  # whatever else a learner's code raises is what has to be explained
        return explain_error(error, answer)
    return None if np.array_equal(result, expected) else Diagnosis(
        "the tuple (1, 3, 0, 2) gives other rows than the list", "the same rows", "lists and tuples are treated differently",
        "make a list of the permutation first")


def _explain_easy(answer: Test, case: Case, rule: str) -> Diagnosis | None:
    """What is wrong with the verdicts on functions that one order of the tokens is enough to tell apart."""
    letters, x = case.arguments
    try:
        verdicts = calls.verdicts(answer, letters, x.copy())
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        return explain_error(error, answer)
    return _right_verdicts(case, rule)(verdicts)


def _right_verdicts(case: Case, rule: str) -> Property:
    """A property of the verdicts on the controls, in letters instead of numbers."""
    letters = case.arguments[0]

    def explain(verdicts: np.ndarray, *_: Any) -> Diagnosis | None:
        if close(verdicts, case.expected):
            return None
        wrongly = {True: [], False: []}
        for letter, got, wanted in zip(letters, verdicts.ravel(), case.expected.ravel()):
            if got != wanted:
                wrongly[bool(got)].append(letter)
        observed = " and ".join(filter(None, [f"True for {', '.join(wrongly[True])}, which break the rule for some order" if wrongly[True] else "",
                                              f"False for {', '.join(wrongly[False])}, which keep it for every order" if wrongly[False] else ""]))
        likely, next_step = next(((mistake.likely, mistake.next) for mistake in case.mistakes if close(mistake.value, verdicts)),
                                 (NOT_KNOWN,
                                  "write the rule as one line of code for one permutation, then put a loop over all of them around it"))
        return Diagnosis(f"your test says {observed}", f"True exactly where {rule} for every order of the tokens", likely, next_step)

    return explain


def _edges(answer: Test, pooled: bool) -> dict[str, Callable[[], Diagnosis | None]]:
    order = (3, 0, 2, 1)
    return {
        "one order of 24": lambda: _says(
            answer, False, "a function that goes wrong for one single order of four tokens", controls.one_order(order, pooled), FOUR_TOKENS,
            "not every order is tried", "for so few tokens try all of them: `itertools.permutations(range(T))` lists the orders"),
        "faint traces": lambda: _says(
            answer, False, "results near 1000 that differ by 0.0001", controls.faint(1e-4, pooled), FOUR_TOKENS,
            "the tolerance grows with the numbers, as the `rtol` of `np.allclose` does, or `atol` is not used",
            "compare the largest absolute difference with `atol`; in `np.allclose`, say `rtol=0`"),
        "a wider tolerance": lambda: _says(
            answer, True, "the same results with atol=0.1", controls.faint(1e-4, pooled), FOUR_TOKENS,
            "`atol` is not used", "compare with the tolerance that was given", atol=0.1),
        "many tokens": lambda: _says(
            answer, False, "eight tokens and a function that shows its fault in every eighth order", controls.first_is_largest(pooled), EIGHT_TOKENS,
            "too few random orders are tried", "try at least 100 random orders when there are more than five tokens"),
        "equal tokens": lambda: _refuses(answer, pooled),
        "nan": lambda: _says(
            answer, False, "a function that returns nan", lambda x: x * np.nan, FOUR_TOKENS,
            "nan is neither above nor below any number: `difference > atol` is False for it, and `equal_nan` would make it equal to itself",
            "ask whether all differences are *not above* atol, `<= atol`: for nan that is False"),
    }


def _says(answer: Test, expected: bool, what: str, f: controls.Function, x: np.ndarray, likely: str, next_step: str,
          **options: float) -> Diagnosis | None:
    try:
        verdict = calls.one_verdict(answer, f, x.copy(), what, **options)
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        return explain_error(error, answer)
    return None if verdict == expected else Diagnosis(f"{what}: your test says {verdict}", str(expected), likely, next_step)


def _refuses(answer: Test, pooled: bool) -> Diagnosis | None:
    control, calls_of_f = controls.function("K" if pooled else "D"), []

    def f(x: np.ndarray) -> np.ndarray:
        calls_of_f.append(1)
        return control(x)

    expected = "a ValueError: equal tokens are the same in every order, so they hide faults"
    next_step = "compare all rows with the first one before you start, and raise ValueError"
    try:
        verdict = answer(f, np.ones((3, 6)))
    except ValueError:
        return None
    except Exception as error:  # whatever else is raised is what has to be explained
        found = explain_error(error, answer)
        return replace(found, observed=f"with three equal tokens, {found.observed}", expected=expected, next=next_step)
    if isinstance(verdict, BaseException):
        return Diagnosis(f"with three equal tokens your test returns a {type(verdict).__name__}", expected,
                         "`return` hands the error back as a value",
                         "write `raise` in its place")
    likely = (f"f was called {len(calls_of_f)} times: the test went on with equal tokens" if calls_of_f
              else "f was not called, and yet no ValueError came out: is it raised, and caught again?")
    return Diagnosis(f"with three equal tokens your test says {verdict}", expected, likely, next_step)


def _truth_values(mask: Any, *_: Any) -> Diagnosis | None:
    if mask.dtype.kind == "b":
        return None
    return Diagnosis(f"your mask holds {mask.dtype}", "truth values, bool", "ones and zeros, or numbers to add to the scores, were returned",
                     "a comparison such as `<=` gives truth values")
