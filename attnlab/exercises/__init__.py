"""The exercises of the course: a folder for each lesson, a file for each exercise. A file that lies there is an exercise."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path

from attnlab.diagnosis.exercise import Exercise


def names() -> list[str]:
    """What learners write: `softmax` and so on."""
    return list(_modules())


def find(name: str) -> Exercise:
    """What the file of an exercise says.

    Raises:
        KeyError: there is no exercise of that name.
    """
    if name not in _modules():
        raise KeyError(f"no exercise is called {name!r}")
    return import_module(_modules()[name]).EXERCISE


def about(name: str) -> str:
    """How an exercise is called, and what its check looks at: the docstring of its file."""
    return import_module(_modules()[name]).__doc__ or ""


@cache
def _modules() -> dict[str, str]:
    """The module of each exercise, by the exercise's name."""
    lessons = [lesson.name for lesson in pkgutil.iter_modules(__path__) if lesson.ispkg]
    folders = [(lesson, [str(Path(path) / lesson) for path in __path__]) for lesson in lessons]
    return {file.name: f"{__name__}.{lesson}.{file.name}" for lesson, paths in folders for file in pkgutil.iter_modules(paths)}
