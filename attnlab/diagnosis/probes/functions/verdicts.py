"""What a learner's test says to functions: yes or no, and why it says neither."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from attnlab.diagnosis.cause import Cause, CheckFailed, Diagnosis
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exceptions.refusals import OWN_RAISE
from attnlab.diagnosis.probes.functions import controls
from attnlab.diagnosis.probes.functions.differences import why_it_raises
from attnlab.diagnosis.probes.functions.trials import Trials
from attnlab.diagnosis.results.form import type_in_words


def verdicts(answer: Callable[..., Any], letters: str, x: np.ndarray) -> np.ndarray:
    """Try a learner's test on the controls of these letters: `(letters, 1)`, 1 where it says True, 0 where it says False.

    Raises:
        CheckFailed: a verdict is neither, or the test stops with an exception and what it gave to the functions shows why.
        Exception: what the test raises otherwise.
    """
    try:
        return np.array([[float(one_verdict(answer, controls.function(letter), x, f"function {letter}"))] for letter in letters])
    except (CheckFailed, NotImplementedError):
        raise
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        found = explain_raised(error, answer, controls.is_pooled(letters[0]))
        if found is None:
            raise
        raise CheckFailed("runs", found) from error


def explain_raised(error: Exception, answer: Callable[..., Any], pooled: bool) -> Diagnosis | None:
    """What an exception of a learner's test says to its author, where more is established than the exception itself says.

    Raises:
        Exception: the same, when it is a grader's own.
    """
    found, test = explain_error(error, answer), Trials(answer, pooled)
    if hasattr(answer, "cache_info") and "unhashable" in str(error):
        return found.with_cause(
            Cause(
                "verdicts.cache_of_arrays",
                "`lru_cache` or `cache` looks up each call by its arguments, and an array cannot be looked up",
                "remove that line: no call is made twice here",
            )
        )
    own_line = found.cause.id == OWN_RAISE and isinstance(error, ValueError)
    if own_line and isinstance(test.silent.error, ValueError) and not test.silent.calls:
        return found.with_cause(
            Cause(
                "verdicts.refuses_unlike_tokens",
                "your own line raises it even for tokens that have no number in common: its condition holds too easily",
                "use `.all()`: `.any()` asks whether a single number agrees, and row 0 always agrees with itself",
            )
        )
    more = why_it_raises(test)
    return found.with_cause(more.cause) if more else None


def one_verdict(answer: Callable[..., Any], f: controls.Function, x: np.ndarray, what: str, **options: float) -> bool:
    """Try a learner's test on one function.

    Raises:
        CheckFailed: the verdict is neither True nor False.
    """
    verdict = answer(f, x, **options)
    if not isinstance(verdict, (bool, np.bool_)):
        raise CheckFailed("verdict", Diagnosis(f"for {what}, your test returns {type_in_words(verdict)}", "True or False", _no_verdict(verdict)))
    return bool(verdict)


def _no_verdict(returned: Any) -> Cause:
    if returned is None:
        return Cause(
            "form.no_return_value",
            "your test ended without reaching a `return` with a value",
            "end with `return` and one truth value",
        )
    if hasattr(returned, "shape") and len(returned.shape):
        return Cause(
            "verdicts.array_returned",
            f"the result is not one truth value but an array of shape {tuple(returned.shape)}",
            "`.all()` turns many into one: `return` that, for all orders",
        )
    if isinstance(returned, (list, tuple, set, dict)):
        return Cause(
            "verdicts.collection_returned",
            f"the result is not one truth value but {len(returned)}, in a {type(returned).__name__}",
            "`all(...)` turns many into one",
        )
    if hasattr(returned, "__next__"):
        return Cause(
            "verdicts.generator_returned",
            "a generator is returned, which has not run yet: from a function with `yield`, or a `for` in round brackets",
            "run it with `all(...)`",
        )
    return Cause("verdicts.no_truth_value", "the result is not a truth value", "`return` a comparison, or `bool(...)`")
