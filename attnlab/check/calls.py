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
    diagnosis = _explain_parameters(_shapes(built.state_dict()), _shapes(weights))
    if diagnosis:
        raise CheckFailed("parameters", diagnosis)
    built.load_state_dict(weights)
    built.eval()
    return built(x)


def whole_number(answer: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function that returns a whole number; NumPy's whole numbers are as good as Python's."""
    result = answer(*arguments)
    return int(result) if isinstance(result, np.integer) else result


def simulation(answer: Callable[..., Any], d: int, samples: int, seed: int) -> Any:
    """Call a simulation with a fresh generator of random numbers."""
    return answer(d, samples, np.random.RandomState(seed))


def verdicts(answer: Callable[..., Any], letters: str, x: np.ndarray) -> np.ndarray:
    """Try a learner's test on the controls of these letters: `(letters, 1)`, 1 where it says True, 0 where it says False.

    Raises:
        CheckFailed: a verdict is neither.
    """
    said = []
    for letter in letters:
        verdict = answer(controls.function(letter), x)
        if not isinstance(verdict, (bool, np.bool_)):
            raise CheckFailed("verdict", Diagnosis(
                f"for function {letter} your test returns {type(verdict).__name__}", "True or False",
                "there is no `return` at the end, or an array of comparisons is returned", "end with `return` and one truth value"))
        said.append([float(verdict)])
    return np.array(said)


def of(exercise: str) -> Callable[..., Any]:
    """How the visible check and the picture of an exercise get a result."""
    return _CALLS.get(exercise, plain)


_CALLS = {
    "SelfAttention": module, "MultiHeadSelfAttention": module, "WideSelfAttention": module, "RepairedAttention": module,
    "score_variance": simulation, "parameter_count": whole_number,
    "is_permutation_equivariant": verdicts, "is_permutation_invariant": verdicts,
}


def _shapes(state: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(tensor.shape) for name, tensor in state.items()}


def _explain_parameters(got: dict[str, tuple], wanted: dict[str, tuple]) -> Diagnosis | None:
    """None when names and shapes agree, in any order; otherwise the first disagreement."""
    missing, extra = sorted(wanted.keys() - got.keys()), sorted(got.keys() - wanted.keys())
    if missing or extra:
        observed = "; ".join(filter(None, [f"missing: {', '.join(missing)}" if missing else "",
                                           f"not in the card: {', '.join(extra)}" if extra else ""]))
        likely = "an attribute has another name, or a layer has a bias too many or too few"
        if any(name.endswith(".bias") for name in extra) and not missing:
            likely = "`nn.Linear` has a bias unless you say `bias=False`"
        return Diagnosis(observed, f"the module's state_dict() holds {', '.join(sorted(wanted))} and nothing else", likely,
                         "compare the names in your constructor with the table of the card")
    for name, shape in wanted.items():
        if got[name] != shape:
            return Diagnosis(f"{name} has shape {got[name]}", f"shape {shape}", "the sizes of that layer are others than the card's",
                             "`nn.Linear(inputs, outputs)` has a weight of shape (outputs, inputs); read the card's row of parameters")
    return None
