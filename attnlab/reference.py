"""Inputs and expected results of the visible checks and pictures, computed beforehand by `make build`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Mistake:
    """A wrong result that is known by its value, and what to tell its author."""

    name: str
    value: Any
    likely: str
    next: str


@dataclass(frozen=True)
class Case:
    """One input of an exercise with its expected result and the known wrong ones."""

    label: str
    arguments: list[Any]
    expected: Any
    mistakes: list[Mistake]
    parts: tuple[str, ...] = ()  # the names of the parts, when the result is a tuple
    tolerance: float | None = None  # relative, when another than that of the number type is right
    forgiving: float = 1  # so many times as much is forgiven
    shape: tuple | None = None  # of a result that is too large to be kept whole: `expected` is what `sample` takes of it


FEW = 400  # a larger result is not kept whole
SAMPLE = 100
GOLDEN = (5**0.5 - 1) / 2


def shape_of_large(result: Any) -> tuple | None:
    """The shape of an array that is too large to be kept whole, of a tuple those of its parts; None for anything else."""
    if isinstance(result, tuple):
        shapes = tuple(map(shape_of_large, result))
        return shapes if any(shapes) else None
    shape = getattr(result, "shape", ())
    return tuple(shape) if np.prod(shape) > FEW else None


def sample(result: Any, shape: tuple | None) -> Any:
    """A hundred numbers of a large array, from all over it; what has not the shape of a large result is left as it is."""
    if isinstance(shape, tuple) and any(isinstance(one, tuple) for one in shape):  # of a tuple's parts
        return tuple(map(sample, result, shape))
    if not shape or getattr(result, "shape", None) != shape:
        return result
    numbers = result.reshape(-1)
    places = (np.arange(1, SAMPLE + 1) * GOLDEN % 1 * len(numbers)).astype(int)  # each falls into a largest gap between those before it
    return numbers[np.sort(places)]


@dataclass(frozen=True)
class Graded:
    """Something that earns points.

    Attributes:
        name: the grade id of the cell that the learner fills in.
        kind: "exercise", "question" or "written answer"; "prediction" among all that is `asked`.
        title: what to call it in a message: "Exercise 1 · softmax".
        asks_for: the names that the learner defines.
        parameters: of an exercise's function, or of what makes an object of its class.
        placeholder: what stands in the cell of a written answer until there is one.
    """

    name: str
    kind: str
    title: str
    points: int
    asks_for: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    placeholder: str = ""


@dataclass(frozen=True)
class Prediction:
    """A question that the learner answers before the result is shown. It earns nothing.

    Attributes:
        name: the grade id of the cell that the learner fills in.
        variable: the name that the learner gives the answer.
        choices: what may be chosen; `(tuple,)` for any shape.
        answer: the right one.
        because: why, without a full stop.
    """

    name: str
    variable: str
    choices: tuple[Any, ...]
    answer: Any
    because: str


def cases(exercise: str) -> list[Case]:
    """All cases of one exercise, with fresh arrays at each call; the first is the one that the lesson shows.

    Raises:
        KeyError: no lesson has an exercise of that name, or its results were not worked out yet.
    """
    return _cases(_entry(exercise))


@cache
def _entry(exercise: str) -> dict[str, Any]:
    """What the files say of an exercise."""
    for lesson in lessons():
        if json.dumps(exercise) in _text(lesson) and exercise in (known := _lesson(lesson)["exercises"]):
            return known[exercise]
    raise KeyError(f"attnlab/data has no expected results for an exercise called {exercise!r}; type `make build` if it is a new one")


def drawn_results(exercise: str) -> dict[str, list[tuple[Any, tuple | None]]]:
    """What is expected for the inputs that the file of an exercise draws: for each kind, in their order, with the shape where it is a sample."""
    return {kind: list(map(_sampled, results)) for kind, results in _entry(exercise).get("drawn", {}).items()}


def _sampled(result: Any) -> tuple[Any, tuple | None]:
    if isinstance(result, dict) and "sample" in result:
        return decode(result["sample"]), tuple(tuple(one) if isinstance(one, list) else one for one in result["of_shape"])
    return decode(result), None


def graded(lesson: str) -> list[Graded]:
    """Everything in a lesson ("1_basic_attention") that earns points, in order."""
    return [_graded(name, entry) for name, entry in _lesson(lesson)["graded"].items()]


def prediction(name: str) -> Prediction:
    """A prediction, by the grade id of its cell.

    Raises:
        KeyError: no lesson has a prediction of that name.
    """
    for one in (one for lesson in lessons() for one in predictions(lesson)):
        if one.name == name:
            return one
    raise KeyError(f"no lesson has a prediction called {name!r}; type `make build` if it is a new one")


def predictions(lesson: str) -> list[Prediction]:
    """The predictions of a lesson, in order."""
    return [
        Prediction(name, entry["variable"], tuple(entry["choices"]), entry["answer"], entry["because"])
        if entry["choices"]
        else Prediction(name, entry["variable"], (tuple,), tuple(entry["answer"]), entry["because"])
        for name, entry in _lesson(lesson)["predictions"].items()
    ]


def names_asked_for(grade_id: str) -> tuple[str, ...]:
    """The names that the learner defines in a cell, by its grade id; none where nothing in the course is called so."""
    return next((item.asks_for for lesson in lessons() for item in asked(lesson) if item.name == grade_id), ())


def asking_for(name: str, lesson: str | None = None) -> list[Graded]:
    """Everything in a lesson, or in the whole course, that asks the learner to define this name."""
    return [item for among in ([lesson] if lesson else lessons()) for item in asked(among) if name in item.asks_for]


@cache
def asked(lesson: str) -> tuple[Graded, ...]:
    """Every cell of a lesson that the learner fills in: what earns points, and predictions, which earn none."""
    return (*graded(lesson), *(Graded(one.name, "prediction", one.name, 0, (one.variable,)) for one in predictions(lesson)))


def lessons() -> list[str]:
    """The lessons that have references, in order: "1_basic_attention" and so on."""
    return list(_files())


def is_optional(lesson: str) -> bool:
    """Whether a lesson is one that the course does without: its points come on top."""
    return _lesson(lesson)["optional"]


def decode(value: Any) -> Any:
    """An array, tensor, tuple or plain value from its form in the file."""
    if isinstance(value, dict) and "tuple" in value:
        return tuple(decode(item) for item in value["tuple"])
    if isinstance(value, dict) and "array" in value:
        array = np.array(value["array"], dtype=value["dtype"]).reshape(value["shape"])
        if value["kind"] == "numpy":
            return array
        import torch  # here, so that lessons without tensors do not wait for it

        return torch.from_numpy(array)
    if isinstance(value, dict):
        return {key: decode(item) for key, item in value.items()}
    if isinstance(value, list):
        return [decode(item) for item in value]
    return value


def _graded(name: str, entry: dict[str, Any]) -> Graded:
    return Graded(name, **{key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()})


def _cases(entry: dict[str, Any]) -> list[Case]:
    texts = entry["mistakes"]
    return [
        Case(
            case["label"],
            decode(case["arguments"]),
            decode(case["expected"]),
            [Mistake(name, decode(value), *texts[name]) for name, value in case["mistakes"].items()],
            tuple(entry.get("parts", ())),
            entry.get("tolerance"),
        )
        for case in entry["cases"]
    ]


@cache
def _files() -> dict[str, Any]:
    """The file of each lesson, in order."""
    files = sorted((file for file in (resources.files("attnlab") / "data").iterdir() if file.name.endswith(".json")), key=lambda file: file.name)
    return {file.name.removesuffix(".json"): file for file in files}


@cache
def _text(lesson: str) -> str:
    return _files()[lesson].read_text(encoding="utf-8")


@cache
def _lesson(lesson: str) -> dict[str, Any]:
    """What the file of a lesson says. Reading one takes a hundredth of a second, so that each is read when it is asked for."""
    return json.loads(_text(lesson))
