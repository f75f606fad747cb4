"""A green check is a promise: what a hidden test can take points for, the visible check has tried on other data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import nbformat
import numpy as np
import pytest

from attnlab import exercises
from attnlab.arrays import as_numpy
from attnlab.diagnosis import calls
from authoring.answer_files import find_answers
from authoring.answers import Namespace, fill_in, run_test, solution_sources
from authoring.exercises import find_exercises
from authoring.lessons import Lesson, find_lessons, read_text

PROMISED = [name for name in exercises.names() if exercises.find(name).kinds]


def test_no_kept_answer_is_seen_by_hidden_tests_alone() -> None:
    answers = [answer for lesson in find_lessons() for answer in find_answers(lesson)]
    assert [answer.place for answer in answers if answer.is_hidden_only and answer.exercise in exercises.names()] == []


def _of_arrays(change: Callable[[Any], Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A slip that changes an array that comes out, or each of several."""

    def slip(answer: Callable[..., Any]) -> Callable[..., Any]:
        def changed(*arguments: Any, **named: Any) -> Any:
            result = answer(*arguments, **named)
            return type(result)(map(change, result)) if isinstance(result, (tuple, list)) else change(result)

        return changed

    return slip


def _numbers(change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Any], Any]:
    """The same change of a tensor and of an array."""

    def changed(array: Any) -> Any:
        if not hasattr(array, "shape"):
            return array
        result = change(as_numpy(array))
        if hasattr(array, "detach"):
            import torch

            return torch.as_tensor(np.ascontiguousarray(result)) if isinstance(result, np.ndarray) else result
        return result

    return changed


def _of_inputs(change: Callable[[Any], Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A slip that changes each array that goes in."""
    return lambda answer: lambda *arguments, **named: answer(*(change(one) if hasattr(one, "shape") else one for one in arguments), **named)


def _kept_by_shape(answer: Callable[..., Any]) -> Callable[..., Any]:
    kept: dict[str, Any] = {}
    return lambda *arguments, **named: kept.setdefault(
        str([getattr(one, "shape", one) for one in arguments]) + str(named), answer(*arguments, **named)
    )


def _kept_by_identity(answer: Callable[..., Any]) -> Callable[..., Any]:
    kept: list[tuple[Any, Any]] = []

    def call(*arguments: Any, **named: Any) -> Any:
        found = next(
            (result for before, result in kept if all(one is two for one, two in zip(before, [*arguments, *named.values()], strict=False))), None
        )
        if found is None:
            found = answer(*arguments, **named)
            kept.append(([*arguments, *named.values()], found))
        return found

    return call


def _kept_by_numbers(answer: Callable[..., Any]) -> Callable[..., Any]:
    kept: dict[str, Any] = {}

    alive: list[Any] = []  # what is known by its address in memory, such as a generator, shares it with none that comes later

    def text(one: Any) -> str:
        alive.append(one)
        return f"{one.dtype}{one.shape}{as_numpy(one).tobytes()!r}" if hasattr(one, "shape") else repr(one)

    return lambda *arguments, **named: kept.setdefault(str(list(map(text, arguments))) + str(named), answer(*arguments, **named))


def _writes_into_input(answer: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any, **named: Any) -> Any:
        result = answer(*arguments, **named)
        for one in arguments:
            if hasattr(one, "shape") and len(one.shape) and one.shape[0] > 3:
                one[0] = 0
        return result

    return call


def _wrong_when(holds: Callable[[Any], bool]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A slip that shows only for some inputs: then every number that comes out is larger by one."""

    def slip(answer: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            result = answer(*arguments, **named)
            first = next((one for one in arguments if hasattr(one, "shape") and len(one.shape)), None)
            return _numbers(lambda array: array + np.asarray(1).astype(array.dtype))(result) if first is not None and holds(first) else result

        return call

    return slip


SLIPS = {
    "float32 inside": _of_inputs(_numbers(lambda array: array.astype(np.float32) if array.dtype == np.float64 else array)),
    "float32 in the end": _of_arrays(_numbers(lambda array: array.astype(np.float32) if array.dtype == np.float64 else array)),
    "float64 in the end": _of_arrays(_numbers(lambda array: array.astype(np.float64) if array.dtype == np.float32 else array)),
    "float16 inside": _of_inputs(_numbers(lambda array: array.astype(np.float16).astype(array.dtype) if array.dtype.kind == "f" else array)),
    "whole numbers": _of_arrays(_numbers(lambda array: np.round(array).astype(int))),
    "four digits": _of_arrays(_numbers(lambda array: np.round(array, 4))),
    "small numbers dropped": _of_arrays(_numbers(lambda array: np.where(np.abs(array) < 1e-3, 0, array))),
    "squeezed": _of_arrays(_numbers(np.squeeze)),
    "no array but a list": _of_arrays(_numbers(lambda array: array.tolist())),
    "in the memory of columns": _of_arrays(_numbers(np.asfortranarray)),
    "kept by shape": _kept_by_shape,
    "kept by identity": _kept_by_identity,
    "kept by numbers": _kept_by_numbers,
    "writes into large inputs": _writes_into_input,
    "wrong for integers": _wrong_when(lambda array: as_numpy(array).dtype.kind == "i"),
    "wrong for one row": _wrong_when(lambda array: array.shape[0] == 1),
    "wrong for squares": _wrong_when(lambda array: len(array.shape) > 1 and array.shape[-1] == array.shape[-2]),
    "wrong for wide ones": _wrong_when(lambda array: len(array.shape) > 1 and array.shape[-1] > array.shape[-2]),
    "wrong for tall ones": _wrong_when(lambda array: len(array.shape) > 1 and array.shape[-1] < array.shape[-2]),
    "wrong for long vectors": _wrong_when(lambda array: bool((np.abs(as_numpy(array)) > 90).any())),
    "wrong for more than a hundred": _wrong_when(lambda array: max(array.shape) > 100),
}


def _exercises() -> Iterator[tuple[Lesson, str]]:
    for lesson in find_lessons():
        for exercise in find_exercises(read_text(lesson)):
            if exercise.name in PROMISED and not isinstance(exercises.find(exercise.name).call, calls.Module):
                yield lesson, exercise.name


@pytest.mark.parametrize(("lesson", "name"), [*_exercises()], ids=lambda value: getattr(value, "assignment", value))
def test_a_slip_that_the_check_passes_costs_nothing(lesson: Lesson, name: str) -> None:
    source = read_text(lesson)
    cells = [source.cells[test] for exercise in find_exercises(source) if exercise.name == name for test in exercise.tests]
    solved = fill_in(nbformat.read(lesson.released, as_version=4), solution_sources(nbformat.read(lesson.solution, as_version=4)))
    broken = []
    for what, slip in SLIPS.items():
        namespace = Namespace(solved)
        namespace[name] = slip(namespace[name])
        for cell in cells:
            earned, said = run_test(cell.source, cell.metadata.nbgrader.points, namespace)
            if earned < cell.metadata.nbgrader.points and not re.search(rf"✗ {name}, (?!on other numbers)", said):
                broken.append(f"{what}: {said}")
    assert broken == []
