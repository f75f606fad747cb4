"""How to get a result from an answer when that takes more than calling it with arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from attnlab.diagnosis.results.parameters import loaded


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
