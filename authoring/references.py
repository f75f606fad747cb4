"""Compute what the visible checks and pictures compare with, and write it to `attnlab/data`.

The expected results come from the lesson's own answers, the known wrong ones from those in `answers/` beside it that say `# likely:`, so neither
is typed in by hand and neither brings an implementation into `attnlab`.
"""

from __future__ import annotations

import copy
import json
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from nbformat import NotebookNode

from attnlab.arrays import as_numpy
from attnlab.diagnosis.drawn import VISIBLE, inputs_of, kinds_among
from attnlab.diagnosis.evidence import parts_of
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.reference import sample, shape_of_large
from attnlab.training.loop import one_thread
from authoring.agreement import settle
from authoring.answer_files import answers_to
from authoring.answers import Namespace
from authoring.earning import earning
from authoring.errors import BuildError, Problem
from authoring.exercises import find_exercises, total_points
from authoring.lessons import Lesson
from authoring.predictions import predictions

DIGITS = 12  # significant digits of float64, far finer than any comparison; float32 has what tells it from its neighbours


def make_references(lesson: Lesson, notebook: NotebookNode) -> dict[str, Any]:
    """The content of `attnlab/data/<assignment>.json` for a lesson, as it is read back from JSON.

    What agrees with the file that is there, within the precision of its type, is taken from it: the last digits differ from
    processor to processor.

    Raises:
        BuildError: an exercise has no reference, or its answer fails on one of its cases.
    """
    if problems := lint_references(lesson, notebook):
        raise BuildError(problems)
    described = described_by(lesson)
    solved = Namespace(notebook)
    content: dict[str, Any] = {
        "lesson": lesson.assignment,
        "points": total_points(notebook),
        "optional": bool(notebook.metadata.lesson.get("optional")),
        "predictions": predictions(lesson, notebook),
        "graded": earning(lesson, notebook),
        "exercises": {},
    }
    with one_thread():  # several add in another order, and whether there are several depends on which lesson was built before
        for exercise in find_exercises(notebook):
            if exercise.asks_for_values:
                continue
            content["exercises"][exercise.name] = _entry(lesson, notebook, solved, exercise.name, described[exercise.name])
    made = json.loads(json.dumps(content))
    return settle(made, json.loads(lesson.data.read_text(encoding="utf-8"))) if lesson.data.exists() else made


def lint_references(lesson: Lesson, notebook: NotebookNode) -> list[Problem]:
    """Exercises without an input that could be shown, and files of no exercise; nothing of the lesson is executed."""
    try:
        described = described_by(lesson)
    except BuildError as error:
        return error.problems
    names = [exercise.name for exercise in find_exercises(notebook) if not exercise.asks_for_values]
    shown = {name: lesson.shown(lesson.exercises / f"{name}.py") for name in [*names, *described]}
    problems = [
        Problem(shown[name], "whole file", "the exercise has no file with its inputs", "write it after the model of lesson 1's `softmax.py`")
        for name in names
        if name not in described
    ]
    problems += [
        Problem(shown[name], "`inputs`", "the exercise has no input that could be shown", "give it one")
        for name in names
        if name in described and not described[name].inputs
    ]
    problems += [
        Problem(shown[name], "`stages`", what, "name each input, each edge and each kind in one stage")
        for name in names
        if name in described and described[name].stages
        for what in misplaced(described[name])
    ]
    problems += [
        Problem(
            shown[name],
            "whole file",
            "the lesson has no exercise of that name whose answer is a function or class",
            "name it after one, or delete it",
        )
        for name in sorted(described.keys() - {*names})
    ]
    return problems


def misplaced(described: Exercise) -> Iterator[str]:
    """What is named by no stage or by several, and what stages name that is not there."""
    named = [label for labels in described.stages.values() for label in labels]
    known = [*(one.label for one in described.inputs), *described.edges]
    drawn = inputs_of(described, VISIBLE)
    kinds = [kind for labels in described.stages.values() for kind in kinds_among(drawn, labels)]
    for label, number in [(label, named.count(label)) for label in known] + [(kind, kinds.count(kind)) for kind in drawn]:
        if number != 1:
            yield f"“{label}” stands in {number or 'none'} of the stages"
    for label in named:
        if label not in known and not kinds_among(drawn, [label]):
            yield f"a stage names “{label}”, which is no input, no edge and no kind"


def write_references(lesson: Lesson, content: dict[str, Any]) -> None:
    """Write `attnlab/data/<assignment>.json`, unless it says the same already."""
    text = in_lines(content) + "\n"
    if not lesson.data.exists() or lesson.data.read_text(encoding="utf-8") != text:
        lesson.data.parent.mkdir(parents=True, exist_ok=True)
        lesson.data.write_text(text, encoding="utf-8")


def in_lines(value: Any, indent: str = "") -> str:
    """JSON with a line for each entry of a dictionary, and for each list on its own: arrays do not take a line for each number."""
    if isinstance(value, dict) and not {"array", "shape"} <= value.keys() and value:
        inner = ",\n".join(f"{indent} {json.dumps(key, ensure_ascii=False)}: {in_lines(item, indent + ' ')}" for key, item in value.items())
        return f"{{\n{inner}\n{indent}}}"
    if isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        inner = ",\n".join(f"{indent} {in_lines(item, indent + ' ')}" for item in value)
        return f"[\n{inner}\n{indent}]"
    return json.dumps(value, ensure_ascii=False)


def encode(value: Any) -> Any:
    """A plain value or array in the form that `attnlab.reference.decode` reads."""
    if hasattr(value, "detach"):
        return _encode_array(value.detach().numpy(), "torch")
    if isinstance(value, (np.ndarray, np.generic)):
        return _encode_array(np.asarray(value), "numpy")
    if isinstance(value, dict):
        return {key: encode(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return {"tuple": [encode(item) for item in value]}
    if isinstance(value, list):
        return [encode(item) for item in value]
    return value


def _encode_array(array: np.ndarray, kind: str) -> dict:
    numbers = array.ravel().tolist()
    if array.dtype == np.float32:
        numbers = [float(str(number)) for number in array.ravel()]
    elif array.dtype.kind == "f":
        numbers = [float(f"{number:.{DIGITS}g}") for number in numbers]
    return {"array": numbers, "shape": list(array.shape), "dtype": str(array.dtype), "kind": kind}


def _entry(lesson: Lesson, notebook: NotebookNode, solved: Namespace, name: str, described: Exercise) -> dict:
    right = _right_results(lesson, solved, name, described, described.inputs)
    told = {answer.name: answer for answer in answers_to(lesson, name).values() if answer.likely}
    wrong = {mistake: _wrong_results(Namespace(notebook, answer), name, described) for mistake, answer in told.items()}
    return {
        "title": described.title,
        "mistakes": {mistake: (answer.likely, answer.next) for mistake, answer in told.items()},
        **({"parts": list(described.parts)} if described.parts else {}),
        **({"tolerance": described.tolerance} if described.tolerance else {}),
        "cases": [
            {
                "label": case.label,
                "arguments": encode(case.arguments),
                "expected": encode(right[place]),
                "mistakes": {mistake: encode(wrong[mistake][place]) for mistake in told if _differs(wrong[mistake][place], right[place])},
            }
            for place, case in enumerate(described.inputs)
        ],
        **_drawn(lesson, solved, name, described),
    }


def _drawn(lesson: Lesson, solved: Namespace, name: str, described: Exercise) -> dict:
    """What the lesson's own answer gives for the inputs that the exercise draws; of large results a sample."""
    drawn = {
        kind: list(map(_encode_sample, _right_results(lesson, solved, name, described, inputs)))
        for kind, inputs in inputs_of(described, VISIBLE).items()
    }
    return {"drawn": drawn} if drawn else {}


def _encode_sample(result: Any) -> Any:
    shape = shape_of_large(result)
    return {"sample": encode(sample(result, shape)), "of_shape": list(shape)} if shape else encode(result)


def _right_results(lesson: Lesson, solved: Namespace, name: str, described: Exercise, inputs: Sequence[Input]) -> list[Any]:
    """What the lesson's own answer gives for each input."""
    if name not in solved:
        raise BuildError(
            [
                Problem(
                    lesson.shown(lesson.text),
                    f"`{name}`",
                    "the cell with the answer stops with an error",
                    "run the lesson from top to bottom, and mend the answer",
                )
            ]
        )
    results = []
    for case in inputs:
        try:
            results.append(_result(solved[name], described, case))
        except Exception as error:
            raise BuildError(
                [
                    Problem(
                        lesson.shown(lesson.text),
                        f"`{name}`",
                        f"the answer fails on the case “{case.label}”: {type(error).__name__}: {error}",
                        f"mend the answer, or the input in {lesson.shown(lesson.exercises / name)}.py",
                    )
                ]
            ) from error
    return results


def _wrong_results(namespace: Namespace, name: str, described: Exercise) -> list[Any]:
    """What a wrong answer gives for each case, None where it raises: what it raises is the check's to explain."""
    results = []
    for case in described.inputs:
        try:
            results.append(_result(namespace[name], described, case))
        except Exception:
            results.append(None)
    return results


def _result(answer: Any, described: Exercise, case: Input) -> Any:
    with warnings.catch_warnings(action="ignore"):
        return described.call(answer, *copy.deepcopy(case.arguments))


def _differs(wrong: Any, right: Any) -> bool:
    """Whether a wrong result can be told from the right one by its value."""
    if wrong is None:
        return False
    if isinstance(right, (int, str)):
        return wrong != right
    wrong_parts, right_parts = parts_of(wrong), parts_of(right)
    return len(wrong_parts) != len(right_parts) or any(
        np.shape(a) != np.shape(b) or not np.allclose(as_numpy(a), as_numpy(b), rtol=1e-3, atol=1e-6) for a, b in zip(wrong_parts, right_parts)
    )


def described_by(lesson: Lesson) -> dict[str, Exercise]:
    """What the files in `attnlab/exercises` say of a lesson's exercises.

    Raises:
        BuildError: one of them stops with an error, or describes no exercise.
    """
    described, problems = {}, []
    for path in sorted(lesson.exercises.glob("[!_]*.py")):
        try:
            described[path.stem] = lesson.defined_in(path)["EXERCISE"]
        except Exception as error:  # whatever an author wrote there
            what = "it defines no EXERCISE" if isinstance(error, KeyError) else f"it stops with {type(error).__name__}: {error}"
            problems.append(Problem(lesson.shown(path), "whole file", what, "mend it, and run it by itself with `python` to see the line"))
    if problems:
        raise BuildError(problems)
    return described
