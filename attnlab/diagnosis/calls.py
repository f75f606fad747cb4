"""How to get a result from an answer when that takes more than calling it with arrays."""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attnlab.arrays import deep_copy
from attnlab.diagnosis import grading
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
        return self.result(answer, settings, weights, self.make(answer, *settings), x)

    def result(self, answer: Callable[..., Any], settings: list[Any], weights: dict[str, Any], made: Any, x: Any) -> Any:
        """What a module gives that was made with these settings. Arguments and errors as when it is called."""
        ready = grading.in_one_go(made, [("load_state_dict", [weights]), ("eval", []), ("__call__", [x])])
        return ready[2] if len(ready) == 3 else loaded(answer, settings, weights, made)(x)

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
        self._made: dict[str, Any] = {}

    def __call__(self, settings: list[Any], weights: dict[str, Any], x: Any) -> Any:
        """What the module of these settings gives, with these weights."""
        if (key := repr(settings)) not in self._made:
            self._made[key] = self._module.make(self._answer, *settings)
        return self._module.result(self._answer, settings, weights, self._made[key], x)


def whole_number(answer: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function that returns a whole number; NumPy's whole numbers are as good as Python's."""
    result = answer(*arguments)
    return int(result) if isinstance(result, np.integer) else result


def simulation(answer: Callable[..., Any], d: int, samples: int, seed: int) -> Any:
    """Call a simulation with a fresh generator of random numbers."""
    return answer(d, samples, np.random.RandomState(seed))


ONE_CALL = (operator.call, whole_number, simulation)  # each of these calls an answer once, and keeps nothing of what it passes


def in_place_of(answer: Any, call: Callable[..., Any], inputs: Sequence[Sequence[Any]]) -> Iterator[Any]:
    """For each input what to call in the place of an answer: itself, or, where a grader makes several calls in one go, what gives its result.

    Args:
        answer: the learner's function.
        call: how a result is got from it.
        inputs: their arguments.
    """
    if call not in ONE_CALL or not grading.makes_calls_together(answer):
        yield from [answer] * len(inputs)
        return
    ready: deque[Any] = deque()
    for place in range(len(inputs)):
        if not ready:
            ready.extend(grading.together(answer, [_passed(call, given) for given in inputs[place:]]))
        yield _Ready(answer, ready.popleft()) if ready else answer


def _passed(call: Callable[..., Any], given: Sequence[Any]) -> tuple[Any, ...]:
    """What `call` passes to an answer for one input."""
    passed: list[tuple[Any, ...]] = []

    def answer(*arguments: Any) -> int:
        passed.append(arguments)
        return 0

    call(answer, *deep_copy(given))
    return passed[0]


class _Ready:
    """An answer whose first call has been made: its result is given then. Later calls are made as they come."""

    def __init__(self, answer: Any, result: Any):
        self._answer, self._results = answer, [result]

    def __call__(self, *arguments: Any) -> Any:
        return self._results.pop() if self._results else self._answer(*arguments)
