"""An optional lesson is one that the others do without."""

from __future__ import annotations

import re

import pytest

from authoring.exercises import find_exercises
from authoring.lessons import Lesson, find_lessons, read_text

LESSONS = find_lessons()
OPTIONAL = [lesson for lesson in LESSONS if read_text(lesson).metadata.lesson.get("optional")]
SOME = {
    "2b": {"self_attention", "multi_head_columns"},
    "3b": {"attention_gradients", "smallest_overflow"},
    "5b": {"rotary", "to_halves"},
    "8": {"attend_with_cache", "probability_by_layer"},
}
SPEAKS_OF_COLUMNS = re.compile(
    r"\bcolumn (?:form|example|convention)|token\w* in(?:to)? (?:a )?\*{0,2}columns?\b|\bin columns\b|\bomega_|\\Omega", re.IGNORECASE
)


def test_columns_the_backward_pass_and_rotations_are_optional() -> None:
    assert [lesson.assignment for lesson in OPTIONAL] == ["2b_columns", "3b_backward_pass", "5b_rotary_positions", "8_real_model"]


@pytest.mark.parametrize("optional", OPTIONAL, ids=lambda lesson: lesson.assignment)
@pytest.mark.parametrize("lesson", [lesson for lesson in LESSONS if lesson not in OPTIONAL], ids=lambda lesson: lesson.assignment)
def test_no_other_lesson_uses_what_an_optional_one_asks_for(lesson: Lesson, optional: Lesson) -> None:
    notebook = read_text(optional)
    names = {name for exercise in find_exercises(notebook) for name in exercise.asks_for}
    assert names >= SOME[optional.number]
    text = "".join(path.read_text(encoding="utf-8") for path in (lesson.text, *lesson.exercises.glob("*.py")))
    assert [name for name in sorted(names) if re.search(rf"\b{name}\b", text)] == []


@pytest.mark.parametrize("lesson", [lesson for lesson in LESSONS if lesson not in OPTIONAL], ids=lambda lesson: lesson.assignment)
def test_no_other_lesson_needs_tokens_in_columns(lesson: Lesson) -> None:
    """One that points to lesson 2b may say what is in it."""
    told = [cell.source for cell in read_text(lesson).cells if SPEAKS_OF_COLUMNS.search(cell.source)]
    assert [source for source in told if "lesson 2b" not in source] == []
