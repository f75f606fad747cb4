"""A check without a message: the student reads the line that does not hold, where it stands in the student's own notebook, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.instructors import SQUARE, Given
from nbjudge._common.check_lines import MOST_LETTERS, NO_MESSAGE, said_in_kernel

pytestmark = pytest.mark.slow

WRONG = "def square(x):\n    return x + x"
HELPER = "def check(x, wanted):\n    assert square(x) == wanted"
HIDE = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"


def holds_not(line: str) -> str:
    return f"This check of the test does not hold: {line}. Compare your result with what the exercise asks for."


VISIBLE = {
    "one line": ("\nassert square(2) == 4\nassert square(3)==9  # not yet\nassert square(4) == 16", "`assert square(3)==9`"),
    "several lines": ("assert (\n    square(3)\n    == 9  # nine\n)", "`assert square(3) == 9`"),
    "in a loop": ("for x in range(2, 5):\n    with open('/dev/null'):\n        assert square(x) == x * x", "`assert square(x) == x * x`"),
    "in a handler": ("try:\n    1 / 0\nexcept ZeroDivisionError:\n    assert square(3) == 9", "`assert square(3) == 9`"),
    "in a function": (f"{HELPER}\ncheck(2, 4)\ncheck(\n    3, 9)", "`assert square(x) == wanted`, in `check(3, 9)`"),
    "raised": ("if square(3) != 9:\n    raise AssertionError", "`if square(3) != 9:`"),
    "with a magic": ("%matplotlib inline\nassert square(3) == 9", "`assert square(3) == 9`"),
    "a comparison of texts": ("assert f'{square(3)}' == \"9\"", "`assert f'{square(3)}' == \"9\"`"),
    "before hidden tests": ("assert square(3) == 9\n" + HIDE.format("assert square(5) == 25"), "`assert square(3) == 9`"),
    "too long": (f"assert square(3) == 9{' + 0' * 99}", f"`assert square(3) == 9{' + 0' * 99}"[: MOST_LETTERS - 1] + " …`"),
}


@pytest.mark.parametrize(("test", "line"), VISIBLE.values(), ids=VISIBLE.keys())
@pytest.mark.parametrize("beside", [False, True], ids=["over the wire", "beside"])
def test_the_line_is_told(verdicts, test: str, line: str, beside: bool) -> None:
    [verdict] = verdicts([SQUARE, test], WRONG, beside_students=frozenset({"t1"} if beside else ()))
    assert (verdict.kind, verdict.message) == ("failed", holds_not(line))


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("assert [4][9 - square(3)] == 4", "IndexError: list index out of range, at `assert [4][9 - square(3)] == 4` in the test"),
        ("rows = {9: 1}\nassert rows[square(3)] == 1", "KeyError: 6, at `assert rows[square(3)] == 1` in the test"),
        ("assert square(2) == 4\n" + HIDE.format("assert [77][9 - square(3)] == 77"), ""),
    ],
)
@pytest.mark.parametrize("beside", [False, True], ids=["over the wire", "beside"])
def test_a_line_of_the_test_that_raises_is_told_where_students_have_it(verdicts, test: str, message: str, beside: bool) -> None:
    [verdict] = verdicts([SQUARE, test], WRONG, beside_students=frozenset({"t1"} if beside else ()))
    assert verdict.kind == "failed" and (verdict.message == message if message else "77" not in verdict.message and "at `" not in verdict.message)


HIDDEN = {
    "a hidden check": "assert square(2) == 4\n" + HIDE.format("assert square(77) == 77 * 77"),
    "a hidden helper": HIDE.format("def check(x):\n    assert square(x) == x * 77 / 77 * x") + "\ncheck(3)",
    "called from a hidden line": f"{HELPER}\n" + HIDE.format("check(77, 77 * 77)"),
    "a line that begins before": "assert (square(3) ==\n" + HIDE.format("77 - 68)"),
    "a loop that goes on": "for x in [3]:\n    if square(x) != 9:\n        raise AssertionError\n" + HIDE.format("    square(77)"),
    "one of two on a line": "assert square(2) == 4; assert square(3) == 9",
    "said otherwise": "ok = square(3) == 9\ntry:\n    assert ok\nexcept AssertionError:\n    raise AssertionError from None",
}


@pytest.mark.parametrize("test", HIDDEN.values(), ids=HIDDEN.keys())
@pytest.mark.parametrize("beside", [False, True], ids=["over the wire", "beside"])
def test_what_a_student_does_not_have_is_not_told(verdicts, test: str, beside: bool) -> None:
    [verdict] = verdicts([SQUARE, test], WRONG, beside_students=frozenset({"t1"} if beside else ()))
    assert verdict.kind == "failed" and "77" not in verdict.message
    assert verdict.message == NO_MESSAGE or test == HIDDEN["a loop that goes on"]


def test_a_helper_of_a_given_cell_is_told_and_that_of_a_module_is_not(verdicts, tmp_path: Path) -> None:
    (tmp_path / "secret_checks.py").write_text("def check(f, x):\n    assert f(x) == 77 * x * x / 77\n")
    parts = [Given(HELPER), SQUARE, "check(3, 9)", "import secret_checks\nsecret_checks.check(square, 3)"]
    given, module = verdicts(parts, WRONG, folder=tmp_path)
    assert given.message == holds_not("`assert square(x) == wanted`, in `check(3, 9)`")
    assert module.message == holds_not("`secret_checks.check(square, 3)`")


def test_what_a_kernel_tells_leads_to_a_line_of_the_cell_or_to_none() -> None:
    source = "assert f(3) == 9\nx = 1; assert g()"
    for line in (0, 2, 99):
        assert said_in_kernel([f"Cell In[4], line {line}"], source) == NO_MESSAGE
    assert "`assert f(3) == 9`" in said_in_kernel(["\x1b[36mCell\x1b[39m\x1b[36m \x1b[39m\x1b[32mIn[4]\x1b[39m, line 1"], source)
    assert said_in_kernel(["nothing"], source) == NO_MESSAGE
