"""What a prediction or an answer may look like, what is said to it, and how a prediction is answered."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
import torch

from attnlab import check

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
    check.prediction("predict_product", value, *choices)
    check.choice("fault_lines", value, *choices)
    assert capsys.readouterr().out.splitlines() == [
        f"noted: you predict {noted}. Now go on and see.",
        f"noted: you answer {noted}. It is graded after you hand in; nothing here says whether it is right.",
    ]


@pytest.mark.parametrize(("value", "choices", "likely", "next_step"), REFUSED, ids=lambda value: repr(value)[:30].replace("\n", ""))
def test_what_is_refused_is_told_why(value: object, choices: tuple, likely: str, next_step: str) -> None:
    for call in (check.prediction, check.choice):
        with pytest.raises(check.CheckFailed, match=r"not one of the choices|not a shape") as caught:
            call("fault_lines", value, *choices)
        assert caught.value.diagnosis.cause.words.startswith(likely)
        assert next_step in caught.value.diagnosis.cause.next


@pytest.mark.parametrize("call", [check.prediction, check.choice])
def test_none_is_no_decision(call: Callable[..., None]) -> None:
    with pytest.raises(check.CheckFailed, match="not made yet") as caught:
        call("fault_lines", None, 1, 2)
    assert "you have not run it since you changed it" in caught.value.diagnosis.cause.words


EIGHT = "You said 8, and that is right: two times four."
REVEALED = [
    (8, 8, EIGHT),
    (8.0, 8, EIGHT),
    (np.int64(8), 8, EIGHT),
    (torch.tensor(8), 8, EIGHT),
    (6, 8, "You said 6. It is 8: two times four."),
    (None, 8, "You made no prediction. It is 8: two times four."),
    ("8", 8, "You said '8'. It is 8: two times four."),
    (True, 1, "You said True. It is 1: two times four."),
    ([2, 4], (2, 4), "You said (2, 4), and that is right: two times four."),
    (np.array([2, 4]), (2, 4), "You said (2, 4), and that is right: two times four."),
    ((4, 2), (2, 4), "You said (4, 2). It is (2, 4): two times four."),
    (np.str_("b"), "b", "You said 'b', and that is right: two times four."),
    (np.ones(2), 8, "You said array([1., 1.]). It is 8: two times four."),
]


@pytest.mark.parametrize(("said", "answer", "words"), REVEALED, ids=lambda value: repr(value)[:30].replace("\n", ""))
def test_a_prediction_is_answered(capsys: pytest.CaptureFixture[str], said: object, answer: object, words: str) -> None:
    check.reveal(said, answer, "two times four")
    assert re.sub(r"\s+", " ", capsys.readouterr().out.strip()) == words
