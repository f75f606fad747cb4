"""Inputs of every kind that a card allows, drawn with a seed: the visible check tries one seed, hidden tests another one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from attnlab import reference
from attnlab.arrays import deep_copy
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.reference import Case, sample, shape_of_large

One = TypeVar("One")
VISIBLE, HIDDEN = 0, 1  # seeds
FEW = 2  # shapes that a label names
OTHERS = 2  # what is added to a seed for other numbers of the same shapes
FORGIVING = 10  # hidden tests forgive so many times as much: what the visible check passes narrowly is not refused by them


def numbers(random: np.random.RandomState, *shape: int, size: float = 1.0) -> np.ndarray:
    """Normally distributed float64 numbers of a standard deviation, rounded to 1/64, which float32 holds exactly, too."""
    return np.round(random.normal(scale=64 * size, size=shape)) / 64


def edge_cases(random: np.random.RandomState, k: int, count: int = 1) -> dict[str, list[np.ndarray]]:
    """Tokens `(T, k)` that shortcuts trip over, and that numbers drawn at random hold by chance alone, by what they are.

    Args:
        random: draws the numbers.
        k: at least 3, or 2 where nothing but square tables is wanted.
        count: so many arrays of each, each with numbers of its own, such as queries, keys and values.
    """
    each: dict[str, list[np.ndarray]] = {}
    for _ in range(count):
        one, other = numbers(random, 2, k)
        one[1], other[1] = 1, 2  # so that no two are equal by chance, and none is zero
        some_equal = np.stack([one, other, np.zeros(k), one, one, np.full(k, 0.75), -one])
        some_equal[:, -1] = some_equal[:, 0]
        below_zero = -np.abs(numbers(random, 2, k)) - 1 / 4
        for what, array in (
            ("some equal and one of zeros", some_equal),
            ("one-hot", np.eye(k)[random.permutation(k)]),
            ("ascending and below zero", np.sort(np.sort(below_zero, axis=0), axis=1)),
            ("all zeros", np.zeros((2, k))),
        ):
            each.setdefault(what, []).append(array)
    return each


def edge_batches(random: np.random.RandomState, k: int, count: int = 1) -> dict[str, list[np.ndarray]]:
    """The same as batches `(3, T, k)`, of which the first and the last sequence are equal, and the one between them has other numbers."""
    return {what: [np.stack([x, -x[::-1], x]) for x in arrays] for what, arrays in edge_cases(random, k, count).items()}


def edge_squares(random: np.random.RandomState) -> dict[str, np.ndarray]:
    """The same as square tables, such as scores or weights: as many rows as `edge_cases` has tokens, where its k is 4."""
    return {what: edge_cases(random, len(x))[what][0] for what, [x] in edge_cases(random, 4).items()}


def inputs_of(exercise: Exercise, seed: int) -> dict[str, list[Input]]:
    """The inputs that an exercise draws with a seed, by kind, each with a label of its own."""
    kinds = exercise.kinds(np.random.RandomState(seed)) if exercise.kinds else {}
    return {kind: _labelled(kind, [list(arguments) for arguments in each]) for kind, each in kinds.items()}


def _labelled(kind: str, each: list[list[Any]]) -> list[Input]:
    taken: set[str] = set()
    inputs = []
    for arguments in each:
        label = f"{kind}{_described(arguments)}"
        if label in taken:
            label = f"{label} (number {len(inputs) + 1})"
        taken.add(label)
        inputs.append(Input(label, arguments))
    return inputs


def _described(arguments: list[Any]) -> str:
    """The first shapes, and the type where all have another one than float64: ", shape (5, 7), int64"."""
    arrays = [argument for argument in arguments if getattr(argument, "shape", ())]
    if not arrays:
        return f": {' and '.join(map(str, arguments))}" if all(isinstance(one, (int, float, np.number)) for one in arguments) else ""
    shapes = list(dict.fromkeys(str(tuple(array.shape)) for array in arrays))
    types = {str(one).removeprefix("torch.") for one in {array.dtype for array in arrays}}
    more = ", …" if len(shapes) > FEW else ""
    return f", shape {' and '.join(shapes[:FEW])}{more}{'' if len(types) > 1 or types & {'float64', 'bool'} else f', {types.pop()}'}"


def chosen(drawn: Mapping[str, Sequence[One]], kinds: tuple[str, ...]) -> list[One]:
    """The inputs or cases of some kinds, or of all, in the order of the kinds that are named; "one head" takes "one head, integers" with it.

    Raises:
        KeyError: there are none of such a kind.
    """
    for kind in kinds:
        if not any(_belongs(name, kind) for name in drawn):
            raise KeyError(f"the exercise draws no inputs of the kind {kind!r}; its kinds are {', '.join(drawn)}")
    names = dict.fromkeys(name for kind in kinds or drawn for name in drawn if _belongs(name, kind))
    return [one for name in names for one in drawn[name]]


def _belongs(name: str, kind: str) -> bool:
    return name == kind or name.startswith(f"{kind}, ")


def kinds_among(drawn: Iterable[str], labels: Sequence[str]) -> tuple[str, ...]:
    """The kinds that are among the labels of a stage; "top-k" takes "top-k, two kept" with it."""
    return tuple(kind for kind in drawn if any(_belongs(kind, label) for label in labels))


def visible_cases(name: str, exercise: Exercise) -> dict[str, list[Case]]:
    """What the visible check tries, by kind, with what the build stored."""
    results = reference.drawn_results(name)
    return {
        kind: [_case(exercise, one, expected, shape) for one, (expected, shape) in zip(inputs, results[kind], strict=True)]
        for kind, inputs in inputs_of(exercise, VISIBLE).items()
    }


def hidden_case(exercise: Exercise, one: Input, definition: Callable[..., Any]) -> Case:
    """An input with what the definition gives."""
    expected = exercise.call(definition, *deep_copy(one.arguments))
    shape = shape_of_large(expected)
    return replace(_case(exercise, one, sample(expected, shape), shape), forgiving=FORGIVING)


def _case(exercise: Exercise, one: Input, expected: Any, shape: tuple | None) -> Case:
    return Case(one.label, one.arguments, expected, [], exercise.parts, exercise.tolerance, shape=shape)
