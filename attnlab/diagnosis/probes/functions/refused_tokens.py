"""Whether a learner's test of functions refuses tokens that show nothing, and no others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from attnlab.diagnosis.cause import Cause, Diagnosis, unknown
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.probes.functions.trials import Trials

REFUSED = "a ValueError: equal tokens hide mistakes"
COMPARE = "first compare all rows with row 0, and raise ValueError if all are equal"
TOKEN = [0.5, 2.0, -1.0, 3.0, 1.0, -2.0]
EQUAL = (
    ("seven equal tokens", np.tile([0.1, 0.3, -0.7], (7, 1))),
    ("thirty equal tokens of one number", np.full((30, 1), 0.1)),
    ("two equal tokens of integers", np.array([[3, 1], [3, 1]])),
)
UNLIKE = (
    ("three tokens of which two are equal", np.array([[1.0, 2, 3], [1, 2, 3], [4, 5, 7]]), "two equal tokens are enough"),
    ("three tokens of which the last two are equal", np.array([[4.0, 5, 7], [1, 2, 3], [1, 2, 3]]), "two equal tokens are enough"),
    ("two tokens with the same first number", np.array([[1.0, 2], [1, 5]]), "one equal number is enough"),
    ("two unlike tokens with the same sum", np.array([[1.0, 5, 3], [2, 3, 4]]), "the sums of the tokens are compared, not the tokens"),
    ("two tokens that are nearly equal", np.array([[1.0, 2], [1, 2 + 1e-12]]), "tokens that are nearly equal count as equal, as with `np.allclose`"),
    ("three large tokens that are nearly equal", np.array([[1e3, 5], [1e3 + 1e-7, 5], [1e3, 5]]), "tokens that are nearly equal count as equal"),
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
                "a verdict: some orders of these tokens differ",
                Cause(
                    "refused_tokens.refused_though_unlike",
                    f"your test refuses tokens that are not all equal: {cause}",
                    COMPARE,
                ),
            )
        except Exception as error:  # whatever else is raised is what has to be explained
            found = explain_error(error, test)
            return replace(found, observed=f"with {what}, {found.observed}")
    if single := _not_refused(test, pooled, "a single token", np.array([TOKEN])):
        return single
    return next((found for what, tokens in EQUAL if (found := _not_refused(test, pooled, what, tokens))), None)


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
            f"with {what}, your test returns a {type(verdict).__name__}",
            REFUSED,
            Cause("errors_wanted.error_returned_not_raised", "`return` gives the error back as a value", "write `raise` instead of `return`"),
        )
    observed = f"with {what}, your test says {verdict}"
    if swallowing := Trials(test, pooled).swallows():
        return Diagnosis(observed, REFUSED, replace(swallowing, words=f"{swallowing.words}; it catches your own ValueError, too"))
    if not calls_of_f:
        return Diagnosis(
            observed,
            REFUSED,
            Cause(
                "refused_tokens.returns_instead_of_raising",
                "f is not called, and no ValueError comes out: your test returns early instead of raising one",
                "write `raise ValueError(...)` instead of that `return`",
            ),
        )
    likely = f"f is called {len(calls_of_f)} times: your test goes on with {what}"
    if len(tokens) == 1:
        return Diagnosis(
            observed,
            REFUSED,
            Cause(
                "refused_tokens.single_token_accepted", f"{likely}; three equal ones are refused", "a single token has only one order: refuse it, too"
            ),
        )
    if _refuses(test, pooled, np.tile(TOKEN, (3, 1))):
        return Diagnosis(observed, REFUSED, unknown("refused_tokens.some_equal_accepted", COMPARE, "three other tokens that are equal are refused"))
    if _refuses(test, pooled, np.ones((3, 6))):
        return Diagnosis(
            observed,
            REFUSED,
            Cause(
                "refused_tokens.compares_across_columns",
                "your test refuses three rows of ones, but not three equal rows of different numbers: it compares numbers of different columns",
                "compare with the first row, `x[0]`; `x[0, 0]` is the first number",
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
