"""How to get a result from an answer when that takes more than calling it with arrays."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from attnlab.diagnosis.results.parameters import loaded


@dataclass(frozen=True)
class Module:
    """Construct a torch module, give it the reference's weights, call it.

    Attributes:
        make: how the class and the settings of an input make a module; by default the settings are the constructor's arguments.
    """

    make: Callable[..., Any] = operator.call

    def __call__(self, answer: Callable[..., Any], settings: list[Any], weights: dict[str, Any], x: Any) -> Any:
        """What the module gives.

        Args:
            answer: the class.
            settings: of an input.
            weights: the tensors that its `state_dict()` has to hold, by name.
            x: the input.

        Raises:
            CheckFailed: the module's parameters have other names or shapes.
        """
        return self.built(answer, settings, weights)(x)

    def built(self, answer: Callable[..., Any], settings: list[Any], weights: dict[str, Any]) -> Any:
        """A new module with these weights.

        Raises:
            CheckFailed: its parameters have other names or shapes.
        """
        return loaded(answer, settings, weights, self.make(answer, *settings))


module = Module()


class Reused:
    """A class by modules of which each is made once, and serves all inputs of its settings.

    Args:
        module: how one is made.
        answer: the class.
    """

    def __init__(self, module: Module, answer: Callable[..., Any]):
        self._module, self._answer = module, answer
        self._made: dict[str, tuple[Any, Callable[..., Any]]] = {}

    def __call__(self, settings: list[Any], weights: dict[str, Any], x: Any) -> Any:
        """What the module of these settings gives, with these weights."""
        if (key := repr(settings)) in self._made:
            built, load = self._made[key]
            load(weights)
        else:
            built = self._module.built(self._answer, settings, weights)
            self._made[key] = built, built.load_state_dict
        return built(x)


def whole_number(answer: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function that returns a whole number; NumPy's whole numbers are as good as Python's."""
    result = answer(*arguments)
    return int(result) if isinstance(result, np.integer) else result


def simulation(answer: Callable[..., Any], d: int, samples: int, seed: int) -> Any:
    """Call a simulation with a fresh generator of random numbers."""
    return answer(d, samples, np.random.RandomState(seed))
