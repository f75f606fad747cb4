"""What *Resume* runs in each lesson, without a browser: what was written, nothing that answers an open prediction, and where it goes on."""

from __future__ import annotations

import json
import re

import nbformat
import pytest
from nbformat import NotebookNode

from attnlab import reference, resume
from attnlab.check import session
from authoring.answers import fill_in, solution_sources
from authoring.lessons import Lesson, find_lessons, grade_id

EACH_LESSON = pytest.mark.parametrize("lesson", find_lessons(), ids=lambda lesson: lesson.assignment)
MOST = 140  # letters that JupyterLab shows of a notice


@pytest.fixture(autouse=True)
def _nothing_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_state", {})


def filled(lesson: Lesson, names: set[str]) -> list[NotebookNode]:
    """The cells of a lesson with the solution's answers to some of what it asks for."""
    solved = solution_sources(nbformat.read(lesson.solution, as_version=4))
    cells = fill_in(nbformat.read(lesson.released, as_version=4), {name: solved[name] for name in names}).cells
    for cell in cells:
        cell.pop("outputs", None)
    return cells


def asked(lesson: Lesson) -> list[str]:
    return [item.name for item in reference.graded(lesson.assignment)]


def planned(cells: list[NotebookNode]) -> list[int]:
    return resume.plan(json.dumps(cells))["run"]


def passes(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    monkeypatch.setattr(session, "_state", dict.fromkeys(names, True))


@EACH_LESSON
def test_an_untouched_lesson_is_run_up_to_its_first_exercise(lesson: Lesson) -> None:
    cells = filled(lesson, set())
    first = next(place for place, cell in enumerate(cells) if grade_id(cell) in asked(lesson))
    run = planned(cells)
    assert run == sorted(run) and all(place < first for place in run)
    told = resume.outcome(json.dumps(cells), len(run))
    assert told["place"] == first and len(told["said"]) <= MOST


@EACH_LESSON
def test_no_cell_that_answers_an_open_prediction_is_run(lesson: Lesson) -> None:
    cells = filled(lesson, set(asked(lesson)))
    run = planned(cells)
    assert not [place for place in run if "reveal(" in cells[place].source]
    names = [grade_id(cell) for cell in cells if grade_id(cell).startswith("predict_")]
    for made in names:
        cells = filled(lesson, {*asked(lesson), made})
        reveals = [found for place in planned(cells) for found in re.findall(r"reveal\(\"(\w+)\"", cells[place].source)]
        assert set(reveals) <= {made}


@EACH_LESSON
def test_a_lesson_that_is_done_is_run_to_its_end_and_nothing_is_open(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = filled(lesson, {item.name for item in reference.asked(lesson.assignment)})
    needed = [place for place, cell in enumerate(cells) if cell.cell_type == "code" and "skip-execution" not in cell.metadata.get("tags", [])]
    run = planned(cells)
    assert run == needed
    passes(monkeypatch, *asked(lesson))
    told = resume.outcome(json.dumps(cells), len(run))
    assert told["place"] is None and "Nothing is open here." in told["said"] and len(told["said"]) <= MOST


@EACH_LESSON
def test_each_exercise_has_its_notice_and_the_notice_has_room(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, name in enumerate(asked(lesson)):
        cells = filled(lesson, set(asked(lesson)[:number]))
        passes(monkeypatch, *asked(lesson)[:number])
        told = resume.outcome(json.dumps(cells), len(planned(cells)))
        assert grade_id(cells[told["place"]]) == name and "Go on here: " in told["said"] and len(told["said"]) <= MOST


def test_an_exercise_that_was_skipped_is_where_to_go_on_and_what_is_below_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = find_lessons()[0]
    cells = filled(lesson, {"softmax", "attention_scores"})
    passes(monkeypatch, "softmax", "attention_scores")
    run = planned(cells)
    ran = {grade_id(cells[place]) for place in run}
    assert {"softmax", "softmax_test", "attention_scores", "attention_scores_test"} <= ran
    assert not {"self_attention_loops", "self_attention_loops_test", "attention_weights"} & ran
    assert not [place for place in run if "self_attention_loops" in cells[place].source]
    below = next(place for place, cell in enumerate(cells) if grade_id(cell) == "self_attention_loops")
    stopping = resume.plan(json.dumps(cells))["stopping"]
    assert 1 in stopping and max(stopping) < below
    assert grade_id(cells[resume.outcome(json.dumps(cells), len(run))["place"]]) == "self_attention_loops"


def test_an_answer_whose_check_does_not_pass_is_where_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = find_lessons()[0]
    cells = filled(lesson, {"softmax", "self_attention_loops"})
    passes(monkeypatch, "self_attention_loops")
    assert grade_id(cells[resume.outcome(json.dumps(cells), 9)["place"]]) == "softmax"


@pytest.mark.parametrize(("stopped", "said"), [("error", "ended with an error"), ("interrupted", "You interrupted this cell")])
def test_a_run_that_ended_early_says_where(stopped: str, said: str) -> None:
    cells = filled(find_lessons()[0], set())
    told = resume.outcome(json.dumps(cells), 2, stopped)
    assert told["place"] == planned(cells)[1] and said in told["said"] and "Next: " in told["said"] and len(told["said"]) <= MOST


def test_a_cell_that_was_emptied_while_it_ran_is_no_trouble() -> None:
    cells = filled(find_lessons()[0], {"softmax"})
    softmax = next(place for place, cell in enumerate(cells) if grade_id(cell) == "softmax")
    ran = planned(cells).index(softmax) + 1
    cells[softmax].source = ""
    told = resume.outcome(json.dumps(cells), ran, "interrupted")
    assert told["place"] is None and "You interrupted this cell" in told["said"]


def test_a_notebook_that_is_no_lesson_is_said() -> None:
    told = resume.plan(json.dumps([nbformat.v4.new_code_cell("1", metadata={"nbgrader": None})]))
    assert told["run"] == [] and "no lesson" in told["said"] and len(told["said"]) <= MOST
    assert told._repr_json_() == dict(told)
