"""Nothing that can be imported from `attnlab` solves an exercise."""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from collections.abc import Callable, Iterator

import nbformat
import pytest

import attnlab
from authoring.answers import Namespace, run_quietly
from authoring.exercises import find_exercises
from authoring.lessons import Lesson, find_lessons, read_text

pytestmark = pytest.mark.slow


def importable() -> Iterator[tuple[str, Callable]]:
    """Every function and class in `attnlab`, also those with a leading underscore; each once, however many modules import it."""
    seen: list[Callable] = []
    for found in pkgutil.walk_packages(attnlab.__path__, "attnlab."):
        module = importlib.import_module(found.name)
        for name, value in vars(module).items():
            if callable(value) and getattr(value, "__module__", "").startswith("attnlab") and not any(value is one for one in seen):
                seen.append(value)
                yield f"{found.name}.{name}", value


@pytest.mark.parametrize("lesson", find_lessons(), ids=lambda lesson: lesson.assignment)
def test_no_function_of_attnlab_passes_the_tests_of_an_exercise(lesson: Lesson) -> None:
    candidates = dict(importable())
    assert len(candidates) > 20
    source = read_text(lesson)
    solved = Namespace(nbformat.read(lesson.solution, as_version=4))
    for exercise in find_exercises(source):
        if exercise.asks_for_values:
            continue
        for path, candidate in candidates.items():
            namespace = {**solved, exercise.name: candidate}
            with warnings.catch_warnings(action="ignore"):
                errors = [run_quietly(source.cells[test].source, "<test>", namespace)[0] for test in exercise.tests]
            assert any(errors), f"{path} solves {exercise.name}"
