"""What a prediction or an answer may look like, what is said to it, and how a prediction is answered."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
import torch
from nbclient import NotebookClient

from attnlab import check, reference
from authoring.lessons import Lesson, find_lessons, grade_id

RELEASED = [lesson for lesson in find_lessons() if reference.predictions(lesson.assignment)]

YES_NO = ("yes", "no")
NOTED = [
    ("no", YES_NO, "'no'"),
    (np.str_("no"), YES_NO, "'no'"),
    (3, (1, 3), "3"),
    (3.0, (1, 3), "3"),
    (np.int64(3), (1, 3), "3"),
    (np.float32(3), (1, 3), "3"),
    (np.array(3), (1, 3), "3"),
    (torch.tensor(3), (1, 3), "3"),
    ((9, 9), (tuple,), "(9, 9)"),
    ([2, 3, 5], (tuple,), "(2, 3, 5)"),
    ((2.0, np.int64(3)), (tuple,), "(2, 3)"),
    (np.array([2, 3]), (tuple,), "(2, 3)"),
    (torch.Size([2, 3]), (tuple,), "(2, 3)"),
]
REFUSED = [
    ("3", (1, 3), "it is in quotes, which make it a string, but it should be a number", "remove the quotes: 3"),
    ("7", (1, 3), "it is a string, but it should be a number", "without quotes"),
    (7, (1, 3), "this number is not one of the choices", "write one of the choices exactly"),
    (True, (1, 3), "it is a truth value, but it should be a number", "exactly"),
    ((3,), (1, 3), "it is a tuple that holds the choice: brackets, or a comma at the end, make one", "write only the choice"),
    (0, ("0", "ln T"), "it is a number, but the choice is a string", "put quotes around it: '0'"),
    (5, YES_NO, "it is a number, but it should be a string", "with its quotes"),
    ("Yes ", YES_NO, "it differs from 'yes' in capitals, spaces or quotes", "write 'yes' exactly"),
    ("perhaps", YES_NO, "this string is not one of the choices", "exactly"),
    (np.zeros(3), YES_NO, "it is of type ndarray, but it should be a string in quotes", "exactly"),
    ("(2, 3)", (tuple,), "it is in quotes, which make it a string", "remove the quotes"),
    (5, (tuple,), "it is one number without brackets", "the size of every axis"),
    ({2, 3}, (tuple,), "curly brackets make a set, which has no order", "round brackets"),
    ((), (tuple,), "the brackets are empty", "the size of every axis"),
    ((2, -3), (tuple,), "-3 is not a size", "the size of every axis"),
    ([2.5], (tuple,), "2.5 is not a size", "the size of every axis"),
    (True, (tuple,), "it is neither a tuple nor a list of numbers", "round brackets"),
]


@pytest.mark.parametrize(("value", "choices", "noted"), NOTED, ids=lambda value: repr(value).replace("\n", ""))
def test_what_equals_a_choice_is_noted_and_nothing_is_promised(capsys: pytest.CaptureFixture[str], value: object, choices: tuple, noted: str) -> None:
    check.choice("fault_lines", value, *choices)
    said = f"noted: you answer {noted}. It is graded after you hand in; nothing here says whether it is right."
    assert capsys.readouterr().out.splitlines() == [said]


@pytest.mark.parametrize(("value", "choices", "likely", "next_step"), REFUSED, ids=lambda value: repr(value)[:30].replace("\n", ""))
def test_what_is_refused_is_told_why(value: object, choices: tuple, likely: str, next_step: str) -> None:
    with pytest.raises(check.CheckFailed, match=r"not one of the choices|not a shape") as caught:
        check.choice("fault_lines", value, *choices)
    assert caught.value.diagnosis.cause.words.startswith(likely)
    assert next_step in caught.value.diagnosis.cause.next


def test_none_is_no_decision() -> None:
    with pytest.raises(check.CheckFailed, match="not made yet") as caught:
        check.choice("fault_lines", None, 1, 2)
    assert "you have not run it since you changed it" in caught.value.diagnosis.cause.words


GROUPS = reference.prediction("predict_groups")
PRODUCT = reference.prediction("predict_product")
REVEALED = [
    (GROUPS, 8, "You said 8, and that is right: "),
    (GROUPS, 8.0, "You said 8, and that is right: "),
    (GROUPS, np.int64(8), "You said 8, and that is right: "),
    (GROUPS, torch.tensor(8), "You said 8, and that is right: "),
    (GROUPS, 6, "You said 6. It is 8: "),
    (PRODUCT, [2, 3, 5], "You said (2, 3, 5), and that is right: "),
    (PRODUCT, np.array([2, 3, 5]), "You said (2, 3, 5), and that is right: "),
    (PRODUCT, torch.Size([2, 5]), "You said (2, 5). It is (2, 3, 5): "),
]


def after(asked: reference.Prediction, value: object) -> None:
    """Run a cell that answers a prediction, in a session where its variable has this value."""
    exec(f"check.reveal({asked.name!r})\nprint('the rest of the cell')", {"check": check, asked.variable: value})


@pytest.mark.parametrize(("asked", "said", "words"), REVEALED, ids=lambda value: repr(value)[:30].replace("\n", ""))
def test_a_prediction_is_answered_with_the_reason(capsys: pytest.CaptureFixture[str], asked: reference.Prediction, said: object, words: str) -> None:
    after(asked, said)
    assert " ".join(capsys.readouterr().out.split()) == f"{words}{asked.because}. the rest of the cell"


@pytest.mark.parametrize(
    ("asked", "value"), [(GROUPS, None), (GROUPS, ...), (GROUPS, 7), (GROUPS, "8"), (PRODUCT, None), (PRODUCT, 30), (PRODUCT, "2")]
)
def test_without_a_choice_the_cell_ends_and_nothing_of_the_answer_is_said(
    capsys: pytest.CaptureFixture[str], asked: reference.Prediction, value: object
) -> None:
    with pytest.raises(check.CheckFailed) as refused:
        after(asked, value)
    assert capsys.readouterr().out == ""
    assert asked.because not in str(refused.value)


def test_a_session_without_the_variable_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(check.CheckFailed, match="predicted_groups: no such name in this session"):
        exec("check.reveal('predict_groups')", {"check": check})
    assert capsys.readouterr().out == ""


def test_a_name_of_no_prediction_is_an_error_of_the_lesson() -> None:
    with pytest.raises(KeyError, match="no lesson has a prediction called 'predict_nothing'"):
        check.reveal("predict_nothing")


def test_every_prediction_has_one_name_and_its_answer_is_one_of_the_choices() -> None:
    every = [one for lesson in reference.lessons() for one in reference.predictions(lesson)]
    assert len({one.name for one in every}) == len(every) > 30
    for one in every:
        assert (one.choices == (tuple,) and isinstance(one.answer, tuple)) or one.answer in one.choices, one.name
        assert not one.because.endswith("."), one.name


@pytest.mark.parametrize("lesson", RELEASED, ids=lambda lesson: lesson.assignment)
def test_no_released_notebook_holds_an_answer(lesson: Lesson) -> None:
    text = lesson.released.read_text(encoding="utf-8")
    for one in reference.predictions(lesson.assignment):
        assert one.because not in text and json.dumps(one.because)[1:-1] not in text, one.name
        assert f"{one.variable} = None" in text, one.name


@pytest.mark.slow
@pytest.mark.parametrize("lesson", RELEASED, ids=lambda lesson: lesson.assignment)
def test_run_all_answers_what_was_chosen_and_nothing_else(lesson: Lesson, tmp_path: Path) -> None:
    """The released notebook runs twice, each time in a new kernel: as it is, then with a choice for every other prediction."""
    notebook = nbformat.read(lesson.released, as_version=4)
    predictions = reference.predictions(lesson.assignment)
    for cell in notebook.cells:
        if cell.cell_type == "code" and not _is_needed(cell):
            cell.source = ""
    assert _answered(notebook, tmp_path) == dict.fromkeys((one.name for one in predictions), False)
    chosen = {one.name: one for one in predictions[::2]}
    for cell in notebook.cells:
        if one := chosen.get(grade_id(cell)):
            cell.source = f"{one.variable} = {one.answer!r}"
    assert _answered(notebook, tmp_path) == {one.name: one.name in chosen for one in predictions}


def _is_needed(cell: nbformat.NotebookNode) -> bool:
    return "check.reveal(" in cell.source or "import" in cell.source or grade_id(cell).startswith("predict_")


def _answered(notebook: nbformat.NotebookNode, folder: Path) -> dict[str, bool]:
    """Of each prediction, whether its cell shows more than that there is no choice."""
    ran = NotebookClient(copy.deepcopy(notebook), allow_errors=True, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    found = {}
    for cell in ran.cells:
        if cell.source.startswith("check.reveal("):
            [name] = re.findall(r'^check\.reveal\("(\w+)"\)', cell.source)
            first = cell.outputs[0]
            refused = first.output_type == "error" and first.ename == "CheckFailed"
            assert not refused or (len(cell.outputs) == 1 and reference.prediction(name).because not in str(cell.outputs)), name
            found[name] = not refused
    return found
