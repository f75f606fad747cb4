"""What a learner reads: observed, expected, likely, next; without a traceback."""

from __future__ import annotations

import io
from contextlib import redirect_stdout

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from attnlab import check


def message(answer: object, of: str = "attention_weights") -> str:
    with pytest.raises(check.CheckFailed) as caught:
        getattr(check, of)(answer)
    return str(caught.value)


def over_queries(x: np.ndarray) -> np.ndarray:
    e = np.exp(x @ x.T - (x @ x.T).max())
    return e / e.sum(axis=0)


def test_a_message_has_its_four_parts_in_order() -> None:
    lines = message(over_queries).splitlines()
    assert lines[0] == "✗ attention_weights, step 7 of 14: rows"
    labels = [line.split()[0] for line in lines[1:] if line[2] != " "]
    assert labels == ["observed", "expected", "likely", "next"]


def test_a_message_says_what_was_measured() -> None:
    text = " ".join(message(over_queries).split())
    assert "rows of your weights sum to 0.53 to 1.51, columns to 1.00" in text
    assert "which axis indexes the keys?" in text


def test_an_error_in_the_answer_names_its_own_line() -> None:
    def misaligned(x: np.ndarray) -> np.ndarray:
        return x @ x

    text = " ".join(message(misaligned).split())
    assert "your code raised ValueError" in text
    assert "`x @ x`" in text
    assert "equal lengths in the last axis of the first factor and the second-to-last of the second" in text


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "you have not started yet"),
        (3.0, "the name stands for float"),
        (lambda x: None, "the function ended without reaching a `return` with a value"),
        (lambda x: [[1.0]], "your function returns a list"),
        (lambda x: np.ones((3, 3), dtype=int), "your array holds int64"),
        (lambda x: np.ones(3) / 3, "the result has one axis; the card has 2"),
        (lambda x: np.full((3, 3), np.nan), "nan or inf"),
        (lambda x: np.full((3, 3), 1 / 3), "this check does not know why"),
    ],
)
def test_the_first_level_that_fails_is_named(answer: object, said: str) -> None:
    assert said in " ".join(message(answer).split())


def test_what_a_grader_says_about_the_call_itself_is_left_as_it_is() -> None:
    class ArgumentChanged(AssertionError):
        is_explained = True

    def answer(x: np.ndarray) -> np.ndarray:
        raise ArgumentChanged("your function changed its argument; work on a copy")

    with pytest.raises(ArgumentChanged, match="work on a copy"):
        check.attention_weights(answer)


def test_jupyter_shows_the_message_without_a_traceback() -> None:
    shell = InteractiveShell()
    shell.user_ns.update(check=check, over_queries=over_queries)
    with redirect_stdout(io.StringIO()) as shown:
        shell.run_cell("check.attention_weights(over_queries)")
    assert "you normalised over queries" in shown.getvalue()
    assert "Traceback" not in shown.getvalue()
    assert "engine.py" not in shown.getvalue()
