"""Texts of a student's in messages, pages and files, and texts of a test's that their code could read."""

from __future__ import annotations

import copy

import nbformat
import pytest

from helpers.instructors import LIMITS, SQUARE, Solution, build, plain
from nbjudge._analysis.instructor import Instructor
from nbjudge._execution.execute import execute
from nbjudge._execution.verdicts import MOST_SAID

HALF = "\\ud83d"  # half of an emoji, as Python writes it
NOT_TEXT = {
    "an error": (f"def f():\n    raise ValueError('a{HALF}b')", "f()", "ValueError: a?b"),
    "an error's class": (f"def f():\n    raise type('A{HALF}', (Exception,), {{}})('x')", "f()", "Error"),
    "a value in a message": (f"def f():\n    return '{HALF}'", "assert not f(), f'got {f()}'", "got ?"),
    "a value that is printed": (f"def f():\n    return '{HALF}'", "print(f())\nassert False, 'no'", "no"),
    "what a function prints": (
        f"def f():\n    print('{HALF}')",
        "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()) as out:\n    f()\nraise ValueError(out.getvalue())",
        "",
    ),
}


@pytest.mark.parametrize(("answer", "test", "message"), NOT_TEXT.values(), ids=NOT_TEXT.keys())
def test_half_a_character_can_be_written_down(warm, answer: str, test: str, message: str) -> None:
    notebook = build(Solution(answer), test)
    result = execute(notebook, Instructor(notebook), warm, LIMITS)
    [verdict] = result.verdicts
    assert (verdict.kind, verdict.points) == ("failed", 0) and message in verdict.message
    assert nbformat.writes(result.notebook).encode() and verdict.message.encode() and verdict.printed.encode() is not None


def test_half_a_character_of_a_submission_can_be_written_down(warm) -> None:
    source = build(SQUARE, "assert square(2) == 4")
    submitted = copy.deepcopy(source)
    submitted.cells.append(nbformat.v4.new_markdown_cell("half of one: \ud83d, a whole one: \U0001f600"))
    result = execute(submitted, Instructor(source), warm, LIMITS)
    assert [verdict.points for verdict in result.verdicts] == [1]
    assert nbformat.writes(result.notebook).encode() and result.notebook.cells[-1].source == "half of one: ?, a whole one: \U0001f600"


def test_a_long_message_is_cut(verdict_on) -> None:
    verdict = verdict_on("def f():\n    return 'x' * 500_000", "assert not f(), f'got {f()}'")
    assert verdict.message.startswith("got xxx") and MOST_SAID <= len(verdict.message) < MOST_SAID + 10


CALLED = "def call(f):\n    try:\n        f(1)\n    except Exception as error:\n        return f'{type(error).__name__}: {error}'"


@pytest.mark.parametrize(
    ("raises", "told"), [("assert x == 2, 'the secret is 77'", "AssertionError: "), ("raise ValueError('no network')", "ValueError: no network")]
)
def test_a_failed_check_of_a_tests_function_says_nothing_to_theirs(verdict_on, raises: str, told: str) -> None:
    verdict = verdict_on(CALLED, f"seen = []\ndef f(x):\n    seen.append(x)\n    {raises}\nassert call(f) == {told!r} and seen == [1]")
    assert (verdict.kind, verdict.message) == ("passed", "")


LOST = {
    "fails": "limit = [4][len(__import__('sys').argv) * 1000]",
    "takes too long": "limit = __import__('time').sleep(60) or 4",
    "is a check's": "limit = int('four')",
}


@pytest.mark.parametrize("given", LOST.values(), ids=LOST.keys())
def test_a_students_value_does_not_stand_in_for_one_that_cannot_be_made(warm, monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setattr("nbjudge._execution.namespace.SETUP_SECONDS", 0.5)
    source = build(plain(given), SQUARE, "assert square(2) == limit")
    submitted = copy.deepcopy(source)
    submitted.cells[0].source, submitted.cells[1].source = "limit = 0", "def square(x):\n    return 0"
    [verdict] = execute(submitted, Instructor(source), warm, LIMITS).verdicts
    assert (verdict.kind, verdict.points) == ("unjudged", 0) and "`limit` could not be made" in verdict.message
