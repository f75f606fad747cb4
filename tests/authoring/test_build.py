"""What is committed is what the build makes, today and on this machine."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from authoring import references
from authoring.lessons import Lesson, find_lessons, read_text, write_text
from authoring.pairing import pair
from authoring.release import release
from authoring.solutions import solve

EACH_LESSON = pytest.mark.parametrize("lesson", find_lessons(), ids=lambda lesson: lesson.assignment)
PICTURE = re.compile(r"base64,[A-Za-z0-9+/=]+")  # its bytes depend on the machine's compression library


@EACH_LESSON
def test_released_notebook_is_what_the_text_says(lesson: Lesson) -> None:
    pair(lesson)
    assert nbformat.writes(release(lesson)) + "\n" == lesson.released.read_text(encoding="utf-8"), "run `make build`"


@EACH_LESSON
def test_solution_is_what_the_text_gives_when_it_runs(lesson: Lesson) -> None:
    made = nbformat.writes(solve(lesson, read_text(lesson))) + "\n"
    assert PICTURE.sub("", made) == PICTURE.sub("", lesson.solution.read_text(encoding="utf-8")), "run `make build`"


@EACH_LESSON
def test_references_of_the_checks_are_what_the_answers_give(lesson: Lesson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "attnlab" / "data").mkdir(parents=True)
    monkeypatch.setattr(references, "ROOT", tmp_path)
    references.write_references(lesson, read_text(lesson))
    name = Path("attnlab") / "data" / f"{lesson.assignment}.json"
    made, committed = (json.loads((root / name).read_text(encoding="utf-8")) for root in (tmp_path, lesson.root))
    assert _alike(made, committed), "run `make build`"


@EACH_LESSON
def test_text_survives_a_visit_to_jupyterlab(lesson: Lesson) -> None:
    assert write_text(lesson, read_text(lesson)) == lesson.text.read_text(encoding="utf-8")


def _alike(made: Any, committed: Any) -> bool:
    """Equal, but for the last digits of real numbers, which belong to the machine."""
    if isinstance(made, float) and isinstance(committed, float):
        return made == committed or math.isclose(made, committed, rel_tol=1e-8) or math.isnan(made) and math.isnan(committed)
    if isinstance(made, dict) and isinstance(committed, dict):
        return list(made) == list(committed) and all(_alike(made[key], committed[key]) for key in made)
    if isinstance(made, list) and isinstance(committed, list):
        return len(made) == len(committed) and all(map(_alike, made, committed))
    return made == committed
