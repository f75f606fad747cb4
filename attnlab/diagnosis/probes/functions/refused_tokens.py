"""Whether a learner's test of functions refuses tokens that show nothing, and no others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from attnlab.diagnosis.cause import Cause, Diagnosis, unknown
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.probes.functions.trials import Trials

REFUSED = "a ValueError: equal tokens are the same in every order, so they hide faults"
COMPARE = "compare all rows with the first one before you start, and raise ValueError"
TOKEN = [0.5, 2.0, -1.0, 3.0, 1.0, -2.0]
UNLIKE = (
    ("three tokens of which two are equal", np.array([[1.0, 2, 3], [1, 2, 3], [4, 5, 7]]), "two equal tokens are enough for it"),
    ("three tokens of which the last two are equal", np.array([[4.0, 5, 7], [1, 2, 3], [1, 2, 3]]), "two equal tokens are enough for it"),
    ("two tokens with the same first number", np.array([[1.0, 2], [1, 5]]), "one equal number is enough for it"),
    ("two unlike tokens with the same sum", np.array([[1.0, 5, 3], [2, 3, 4]]), "the sums of the tokens are compared, not the tokens"),
    ("two tokens that are nearly equal", np.array([[1.0, 2], [1, 2 + 1e-12]]), "tokens that are nearly equal count as equal, as with `np.allclose`"),
)


def explain_refusals(test: Callable[..., Any], pooled: bool) -> Diagnosis | None:
    """What is wrong with the tokens that are refused."""
    if equal := _not_refused(test, pooled, "three equal tokens", np.tile(TOKEN, (3, 1))):
        return equal
    for what, tokens, cause in UNLIKE:
        try:
            test(lambda x: x.sum(axis=0) if pooled else 2 * x, tokens.copy())
        except ValueError as error:
            found = explain_error(error, test)
            return Diagnosis(
                f"with {what}, {found.observed}",
                "a verdict: there are orders that differ",
                Cause(
                    "refused_tokens.refused_though_unlike",
                    f"tokens are refused that are not all equal: {cause}",
                    f"refuse only what is all equal: {COMPARE}",
                ),
            )
        except Exception as error:  # whatever else is raised is what has to be explained
            found = explain_error(error, test)
            return replace(found, observed=f"with {what}, {found.observed}")
    return _not_refused(test, pooled, "a single token", np.array([TOKEN]))


def _not_refused(test: Callable[..., Any], pooled: bool, what: str, tokens: np.ndarray) -> Diagnosis | None:
    calls_of_f = []

    def f(x: np.ndarray) -> np.ndarray:
        calls_of_f.append(1)
        return x.sum(axis=0) if pooled else 2 * x

    try:
        verdict = test(f, tokens.copy())
    except ValueError:
        return None
    except Exception as error:  # whatever else is raised is what has to be explained
        found = explain_error(error, test)
        return Diagnosis(f"with {what}, {found.observed}", REFUSED, replace(found.cause, next=COMPARE))
    if isinstance(verdict, BaseException):
        return Diagnosis(
            f"with {what} your test returns a {type(verdict).__name__}",
            REFUSED,
            Cause("errors_wanted.error_returned_not_raised", "`return` hands the error back as a value", "write `raise` in its place"),
        )
    observed = f"with {what} your test says {verdict}"
    if swallowing := Trials(test, pooled).swallows():
        return Diagnosis(observed, REFUSED, replace(swallowing, words=f"{swallowing.words}, and your own ValueError"))
    if not calls_of_f:
        return Diagnosis(
            observed,
            REFUSED,
            Cause(
                "refused_tokens.returns_instead_of_raising",
                "f is not called, and no ValueError comes out: your test returns before it, in place of raising one",
                "write `raise ValueError(...)` where it returns",
            ),
        )
    likely = f"f is called {len(calls_of_f)} times: the test goes on with {what}"
    if len(tokens) == 1:
        return Diagnosis(
            observed,
            REFUSED,
            Cause("refused_tokens.single_token_accepted", f"{likely}; three equal ones are refused", "a single token has one order: refuse it, too"),
        )
    if _refuses(test, pooled, np.ones((3, 6))):
        return Diagnosis(
            observed,
            REFUSED,
            Cause(
                "refused_tokens.compares_across_columns",
                "three rows of ones are refused, and equal rows of unlike numbers are not: numbers of different columns are compared with each other",
                "the first row is `x[0]`; the first number is `x[0, 0]`",
            ),
        )
    if any(_refuses(test, pooled, unlike) for _, unlike, _ in UNLIKE):
        return Diagnosis(observed, REFUSED, unknown("refused_tokens.refuses_others_instead", COMPARE))
    return Diagnosis(observed, REFUSED, Cause("refused_tokens.equal_tokens_accepted", likely, COMPARE))


def _refuses(test: Callable[..., Any], pooled: bool, tokens: np.ndarray) -> bool:
    try:
        test(lambda x: x.sum(axis=0) if pooled else 2 * x, tokens.copy())
    except ValueError:
        return True
    except Exception:  # what else it raises is no refusal
        return False
    return False
