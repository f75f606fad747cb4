"""What earns points is read from the lesson: kinds, titles, names, parameters, and what stands in place of an answer."""

from __future__ import annotations

import nbformat
import pytest

from authoring.earning import earning
from authoring.lessons import Lesson, find_lessons, grade_id, read_text

LESSONS = {lesson.assignment: lesson for lesson in find_lessons()}


def test_each_kind_has_what_tells_that_it_is_filled_in() -> None:
    lesson = LESSONS["1_basic_attention"]
    found = earning(lesson, read_text(lesson))
    assert not [name for name in found if name.startswith("predict_")], "predictions earn nothing"
    assert found["softmax"] == {
        "kind": "exercise",
        "title": "Exercise 1 · softmax",
        "points": 3,
        "asks_for": ["softmax"],
        "parameters": ["scores", "axis"],
    }
    assert found["fault_lines"] == {
        "kind": "question",
        "title": "Clinic 1.1 · fault_lines",
        "points": 2,
        "asks_for": ["line_of_the_sum", "line_of_the_trap"],
    }
    assert found["why_equal"].keys() == {"kind", "title", "points", "placeholder"}
    assert found["why_equal"]["title"] == "Written answer · Say why"


def test_a_class_has_the_parameters_of_its_objects() -> None:
    lesson = LESSONS["2_queries_keys_values"]
    found = earning(lesson, read_text(lesson))
    assert found["SelfAttention"]["parameters"] == ["d_in", "d_k", "d_v"]


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=lambda lesson: lesson.assignment)
def test_the_placeholder_is_what_the_release_holds(lesson: Lesson) -> None:
    cells = {grade_id(cell): cell.source for cell in nbformat.read(lesson.released, as_version=4).cells if grade_id(cell)}
    written = {name: entry["placeholder"] for name, entry in earning(lesson, read_text(lesson)).items() if entry["kind"] == "written answer"}
    assert written == {name: cells[name] for name in written}
    assert written or lesson.assignment in ("2b_columns", "3b_backward_pass", "5b_rotary_positions")
