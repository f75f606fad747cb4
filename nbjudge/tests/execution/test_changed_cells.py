"""Cells without nbgrader's marks: students may write there, and with nbgrader itself what they write counts."""

from __future__ import annotations

import copy

import pytest

from helpers.instructors import LIMITS, SQUARE, Given, Solution, build, plain
from nbjudge._analysis.instructor import Instructor
from nbjudge._execution.execute import execute

pytestmark = pytest.mark.slow

DOUBLE, WRONG = "def double(x):\n    return 2 * x", "def double(x):\n    return x * x"
TEST = "assert double(3) == 6\nassert double(5) == 10"


def kinds(warm, parts: list, texts: dict[int, str]) -> list[str]:
    """What a submission gets that has these texts in the place of the instructor's cells."""
    source = build(*parts)
    submitted = copy.deepcopy(source)
    for place, text in texts.items():
        submitted.cells[place].source = text
    return [verdict.kind for verdict in execute(submitted, Instructor(source), warm, LIMITS).verdicts]


STUBS = {
    "pass": "def double(x):\n    pass",
    "None": "def double(x):\n    return None",
    "zero": "def double(x):\n    return 0",
    "ellipsis": "def double(x):\n    ...",
    "any exception": "def double(x):\n    raise Exception('to do')",
    "a result that is None": "def double(x):\n    result = None  # fill in\n    return result",
    "half a function": "def double(x):\n    y = x\n    # YOUR CODE HERE\n    return y",
    "a loop to fill": "def double(x):\n    y = None\n    for i in range(2):\n        pass\n    return y",
    "a printed word": "def double(x):\n    print('not yet')",
    "a remark": "# Write your function here.",
    "nothing": "",
    "the solution between marks": "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION",
}


@pytest.mark.parametrize("beside", [True, False])
@pytest.mark.parametrize("stub", STUBS.values(), ids=STUBS.keys())
def test_what_is_left_to_write_in_a_plain_cell_is_the_students(warm, stub: str, beside: bool) -> None:
    """Also where the notebook has solution cells, and another test that uses one of these."""
    parts = [plain("import math"), plain(stub), *([SQUARE] if beside else []), TEST]
    assert kinds(warm, parts, {1: DOUBLE}) == ["passed"]
    assert kinds(warm, parts, {1: WRONG}) == ["failed"]
    assert kinds(warm, parts, {1: "def double(x):\n    raise NotImplementedError()"}) == ["failed"]


def test_a_checker_beside_a_stub_stays_the_graders(warm) -> None:
    check = "def check(a, b):\n    assert a == b\n"
    parts = [plain(f"{check}def double(x):\n    pass"), "check(double(3), 6)"]
    assert kinds(warm, parts, {0: check + DOUBLE}) == ["passed"]
    assert kinds(warm, parts, {0: f"def check(a, b):\n    pass\n{WRONG}"}) == ["failed"]


def test_a_test_of_a_plain_cell_alone_judges_what_the_student_wrote_there(warm) -> None:
    """The instructor's text may be a whole solution: whoever hands in another one gets nothing for that."""
    parts = [plain(DOUBLE), plain("eight = double(4)"), TEST, "assert eight == 8"]
    assert kinds(warm, parts, {}) == ["passed", "passed"]
    assert kinds(warm, parts, {0: "def double(x):\n    return x + x"}) == ["passed", "passed"]
    assert kinds(warm, parts, {0: WRONG}) == ["failed", "failed"]


@pytest.mark.parametrize(
    ("given", "changed", "kind"),
    [
        ("def scaled(x):\n    return 3 * x", "def scaled(x):\n    return x * 3", "passed"),
        ("def scaled(x):\n    return 3 * x", "def scaled(x):\n    return 4 * x", "unjudged"),  # nothing there with nbgrader itself
        ("def scaled(x):\n    y = x\n    return y", "def scaled(x):\n    return 3 * x", "unjudged"),  # all there with nbgrader itself
        ("def scaled(x):\n    return 3 * x", "", "unjudged"),
    ],
)
def test_a_changed_helper_that_matters_is_for_a_person(warm, given: str, changed: str, kind: str) -> None:
    parts = [plain(given), SQUARE, "assert scaled(square(2)) == 12", "assert square(3) == 9"]
    assert kinds(warm, parts, {0: changed}) == [kind, "passed"]


def test_a_locked_cell_is_the_instructors_whatever_was_handed_in(warm) -> None:
    parts = [Given("def scaled(x):\n    return 3 * x"), SQUARE, "assert scaled(square(2)) == 12"]
    assert kinds(warm, parts, {0: "def scaled(x):\n    return 4 * x"}) == ["passed"]


def test_expected_values_never_reach_a_function_that_replaced_a_judge(warm) -> None:
    """`same` decides about the student's value: it is not tried with the student's own, which would get to see what is expected."""
    parts = [plain("def same(a, b):\n    return abs(a - b) < 1e-9"), SQUARE, "assert same(square(3), 9)"]
    replaced = "def same(a, b):\n    return True"
    assert kinds(warm, parts, {0: replaced, 1: "def square(x):\n    return 0"}) == ["failed"]
    assert kinds(warm, parts, {0: replaced}) == ["passed"]


def test_a_function_that_is_still_to_be_written_may_change_its_argument(warm) -> None:
    parts = [plain("def order(xs):\n    pass"), "xs = [3, 1, 2]\norder(xs)\nassert xs == [1, 2, 3]"]
    assert kinds(warm, parts, {0: "def order(xs):\n    xs.sort()"}) == ["passed"]
    assert kinds(warm, parts, {0: "def order(xs):\n    xs.reverse()"}) == ["failed"]


@pytest.mark.parametrize("answer", ["undefined(3)\ndef square(x):\n    return x * x", "def square(x):\n    return x * x"])
def test_a_solution_that_changes_the_name_too_is_the_students(warm, answer: str) -> None:
    parts = [plain("total = 0"), Solution("total = total + 5"), "assert total == 5"]
    assert kinds(warm, parts, {0: "total = 1"}) == ["failed"]
    assert kinds(warm, parts, {1: answer}) == ["failed"]
