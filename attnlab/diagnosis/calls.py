"""How to get a result from an answer when that takes more than calling it with arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from attnlab.diagnosis.cause import Cause, CheckFailed, Diagnosis
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exceptions.refusals import OWN_RAISE
from attnlab.diagnosis.probes import models
from attnlab.diagnosis.probes.functions import controls
from attnlab.diagnosis.probes.functions.differences import why_it_raises
from attnlab.diagnosis.probes.functions.trials import Trials
from attnlab.diagnosis.probes.modules.layers import loaded


def plain(answer: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function with the arguments of a case."""
    return answer(*arguments)


def module(answer: Callable[..., Any], settings: list[Any], weights: dict[str, Any], x: Any) -> Any:
    """Construct a torch module, give it the reference's weights, call it.

    Args:
        answer: the class.
        settings: the arguments of its constructor.
        weights: the tensors that its `state_dict()` has to hold, by name.
        x: the input.

    Raises:
        CheckFailed: the module's parameters have other names or shapes.
    """
    return loaded(answer, settings, weights, answer(*settings))(x)


def whole_number(answer: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function that returns a whole number; NumPy's whole numbers are as good as Python's."""
    result = answer(*arguments)
    return int(result) if isinstance(result, np.integer) else result


def simulation(answer: Callable[..., Any], d: int, samples: int, seed: int) -> Any:
    """Call a simulation with a fresh generator of random numbers."""
    return answer(d, samples, np.random.RandomState(seed))


def scores_of_projections(answer: Callable[..., Any], letters: int, sharpness: float) -> np.ndarray:
    """The scores that a pair of projections gives for letters that are rows of the identity matrix: `(letters, letters)`, queries in rows.

    Raises:
        CheckFailed: the answer is no pair of arrays whose rows are letters and whose other axes agree.
    """
    pair = answer(letters, sharpness)
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        got = f"{len(pair)} parts" if isinstance(pair, (tuple, list)) else type(pair).__name__
        raise CheckFailed(
            "pair",
            Diagnosis(
                f"your function returns {got}",
                "two arrays in this order: w_query, w_key",
                Cause(
                    "calls.two_missing_their_product", "one of the two is missing, or their product is returned", "end with `return w_query, w_key`"
                ),
            ),
        )
    shapes = [np.shape(matrix) for matrix in pair]
    if any(len(shape) != 2 or shape[0] != letters for shape in shapes) or shapes[0][1] != shapes[1][1]:
        raise CheckFailed(
            "shapes",
            Diagnosis(
                f"for {letters} letters, w_query has shape {shapes[0]}, w_key {shapes[1]}",
                f"({letters}, d_k) for both, with one d_k",
                Cause(
                    "calls.size_taken_argument_letters",
                    "a size is not taken from the argument, or the letters are not the rows",
                    "give each matrix one row for each letter; queries and keys meet in d_k",
                ),
            ),
        )
    w_query, w_key = (np.asarray(matrix, dtype=float) for matrix in pair)
    return w_query @ w_key.T


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
                "calls.cache_of_arrays",
                "`lru_cache` or `cache` looks a call up by its arguments, and an array cannot be looked up",
                "take that line away: no call is made twice here",
            )
        )
    own_line = found.cause.id == OWN_RAISE and isinstance(error, ValueError)
    if own_line and isinstance(test.silent.error, ValueError) and not test.silent.calls:
        return found.with_cause(
            Cause(
                "calls.refuses_unlike_tokens",
                "your own line raises it, also for tokens of which no two have a number in common: its condition is too weak",
                "`.any()` asks whether one number agrees, and row 0 always agrees with itself; `.all()` asks for every number",
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
        raise CheckFailed("verdict", Diagnosis(f"for {what} your test returns {type(verdict).__name__}", "True or False", _no_verdict(verdict)))
    return bool(verdict)


def _no_verdict(returned: Any) -> Cause:
    if returned is None:
        return Cause(
            "calls.test_comes_end_without",
            "your test comes to its end without a `return`, or that hands nothing back",
            "end with `return` and one truth value",
        )
    if hasattr(returned, "shape") and len(returned.shape):
        return Cause(
            "calls.truth_value_but_array",
            f"there is not one truth value but an array of shape {tuple(returned.shape)}",
            "`.all()` makes one of many: `return` that, for all orders",
        )
    if isinstance(returned, (list, tuple, set, dict)):
        return Cause(
            "calls.truth_value_but",
            f"there is not one truth value but {len(returned)} in a {type(returned).__name__}",
            "`all(...)` makes one of many",
        )
    if hasattr(returned, "__next__"):
        return Cause(
            "calls.generator_returned_nothing_run",
            "a generator is returned, and nothing of it has run: a function with `yield`, or round brackets with a `for`",
            "`all(...)` runs through it",
        )
    return Cause("calls.returned_truth_value", "what is returned is no truth value", "`return` a comparison, or `bool(...)`")


def of(exercise: str) -> Callable[..., Any]:
    """How the visible check and the picture of an exercise get a result."""
    return _CALLS.get(exercise, plain)


_CALLS = {
    "SelfAttention": module,
    "MultiHeadSelfAttention": module,
    "WideSelfAttention": module,
    "RepairedAttention": module,
    "score_variance": simulation,
    "parameter_count": whole_number,
    "next_letter_projections": scores_of_projections,
    "is_permutation_equivariant": verdicts,
    "is_permutation_invariant": verdicts,
    "FeedForward": module,
    "Block": models.block,
    "Transformer": models.transformer,
    "train_model": models.trained,
    "learn_to_rearrange": models.rearranges,
    "generate": models.continued,
}
