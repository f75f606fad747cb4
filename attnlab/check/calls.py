"""How to get a result from an answer when that takes more than calling it with arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from attnlab.check import controls
from attnlab.check.diagnosis import CheckFailed, Diagnosis


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
    built = answer(*settings)
    diagnosis = _explain_parameters(_shapes(built.state_dict()), _shapes(weights), settings)
    if diagnosis:
        raise CheckFailed("parameters", diagnosis)
    built.load_state_dict(weights)
    built.eval()
    return built(x)


def explain_parameters_of(answer: Callable[..., Any], settings: list[Any], weights: dict[str, Any]) -> Diagnosis | None:
    """What is wrong with the parameters of a torch module that was just constructed; see `module`."""
    return _explain_parameters(_shapes(answer(*settings).state_dict()), _shapes(weights), settings)


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
        raise CheckFailed("pair", Diagnosis(f"your function returns {got}", "two arrays in this order: w_query, w_key",
                                            "one of the two is missing, or their product is returned", "end with `return w_query, w_key`"))
    shapes = [np.shape(matrix) for matrix in pair]
    if any(len(shape) != 2 or shape[0] != letters for shape in shapes) or shapes[0][1] != shapes[1][1]:
        raise CheckFailed("shapes", Diagnosis(
            f"for {letters} letters, w_query has shape {shapes[0]}, w_key {shapes[1]}", f"({letters}, d_k) for both, with one d_k",
            "a size is not taken from the argument, or the letters are not the rows",
            "give each matrix one row for each letter; queries and keys meet in d_k"))
    w_query, w_key = (np.asarray(matrix, dtype=float) for matrix in pair)
    return w_query @ w_key.T


def verdicts(answer: Callable[..., Any], letters: str, x: np.ndarray) -> np.ndarray:
    """Try a learner's test on the controls of these letters: `(letters, 1)`, 1 where it says True, 0 where it says False.

    Raises:
        CheckFailed: a verdict is neither.
    """
    return np.array([[float(one_verdict(answer, controls.function(letter), x, f"function {letter}"))] for letter in letters])


def one_verdict(answer: Callable[..., Any], f: controls.Function, x: np.ndarray, what: str, **options: float) -> bool:
    """Try a learner's test on one function.

    Raises:
        CheckFailed: the verdict is neither True nor False.
    """
    verdict = answer(f, x, **options)
    if not isinstance(verdict, (bool, np.bool_)):
        raise CheckFailed("verdict", Diagnosis(
            f"for {what} your test returns {type(verdict).__name__}", "True or False",
            "there is no `return` at the end, or an array of comparisons is returned", "end with `return` and one truth value"))
    return bool(verdict)


def of(exercise: str) -> Callable[..., Any]:
    """How the visible check and the picture of an exercise get a result."""
    return _CALLS.get(exercise, plain)


_CALLS = {
    "SelfAttention": module, "MultiHeadSelfAttention": module, "WideSelfAttention": module, "RepairedAttention": module,
    "score_variance": simulation, "parameter_count": whole_number, "next_letter_projections": scores_of_projections,
    "is_permutation_equivariant": verdicts, "is_permutation_invariant": verdicts,
}


def _shapes(state: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(tensor.shape) for name, tensor in state.items()}


def _explain_parameters(got: dict[str, tuple], wanted: dict[str, tuple], settings: list[Any]) -> Diagnosis | None:
    """None when names and shapes agree, in any order; otherwise the first disagreement."""
    missing, extra = sorted(wanted.keys() - got.keys()), sorted(got.keys() - wanted.keys())
    if missing or extra:
        observed = "; ".join(filter(None, [f"missing: {', '.join(missing)}" if missing else "",
                                           f"not in the card: {', '.join(extra)}" if extra else ""]))
        likely = "names in the constructor are others than in the card"
        if not got:
            likely = "no layer is stored in `self` by the constructor, or they are in a plain list or dictionary, where torch does not see them"
        elif extra and not missing and all(name.endswith(".bias") for name in extra):
            likely = "`nn.Linear` has a bias unless you say `bias=False`"
        elif missing and not extra and all(name.endswith(".bias") for name in missing):
            likely = "a layer was made with `bias=False` that has a bias in the card"
        elif extra and not missing:
            likely = "there is a layer, a parameter or a buffer more than in the card"
        elif missing and not extra:
            likely = "a layer of the card is missing"
        return Diagnosis(observed, f"the module's state_dict() holds {', '.join(sorted(wanted))} and nothing else", likely,
                         "compare the names in your constructor with the table of the card")
    for name, shape in wanted.items():
        if got[name] != shape:
            likely = "the sizes of that layer are others than the card's"
            if got[name] == shape[::-1] and shape != shape[::-1]:
                likely = "the sizes of that layer are the card's, the other way round"
            other = [pair for pair in zip(got[name], shape) if pair[0] != pair[1]] if len(got[name]) == len(shape) else []
            if len(other) == 1 and set(other[0]) <= {size for size in settings if type(size) is int}:
                likely = f"there is a {other[0][0]} where {other[0][1]} belongs: the constructor was given both, and this is the wrong one of the two"
            return Diagnosis(f"{name} has shape {got[name]}", f"shape {shape}", likely,
                             "`nn.Linear(inputs, outputs)` has a weight of shape (outputs, inputs); "
                             "both numbers come from the constructor's arguments")
    return None
