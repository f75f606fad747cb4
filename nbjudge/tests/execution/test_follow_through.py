"""Follow-through: one slip costs its own points, and nobody gets points for the answer that was wrong."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbgrader.utils import determine_grade

from helpers.instructors import LIMITS, Given, Solution, build, handed_in, plain
from nbjudge._analysis.instructor import Instructor, grade_id, is_test
from nbjudge._execution.execute import Execution, execute

SECRET = 7919  # stands in the solution of `double`, and nowhere else
DOUBLE = Solution(f"def double(x):\n    return x * 2 + 0 * {SECRET}")
QUADRUPLE = Solution("def quadruple(x):\n    return double(double(x))")
OCTUPLE = Solution("def octuple(x):\n    return 2 * quadruple(x)")
TEST_DOUBLE, TEST_QUADRUPLE, TEST_OCTUPLE = (
    "assert double(4) == 8, 'double'",
    "assert quadruple(3) == 12, 'quadruple'",
    "assert octuple(3) == 24, 'octuple'",
)
CHAIN = [DOUBLE, TEST_DOUBLE, QUADRUPLE, TEST_QUADRUPLE, OCTUPLE, TEST_OCTUPLE]
WRONG = "def double(x):\n    return x + 3"


@pytest.fixture
def graded(warm):
    """Executes what a student handed in, with follow-through."""

    def run(parts: list, *answers: str, notebook: NotebookNode | None = None, **about) -> Execution:
        source = build(*parts)
        submitted = handed_in(source, *answers) if notebook is None else notebook
        execution = execute(submitted, Instructor(source, follow_through=True, **about), warm, LIMITS)
        nbformat.validate(execution.notebook)
        shown = {grade_id(cell): determine_grade(cell)[0] for cell in execution.notebook.cells if is_test(cell)}
        assert shown == {verdict.grade_id: verdict.points for verdict in execution.verdicts}, "nbgrader reads other points in the outputs"
        assert not execution.cut_short
        return execution

    return run


def points(execution: Execution) -> list[float]:
    return [verdict.points for verdict in execution.verdicts]


def test_what_calls_a_failed_exercise_keeps_its_points(graded) -> None:
    execution = graded(CHAIN, WRONG, QUADRUPLE.source, OCTUPLE.source)
    assert points(execution) == [0, 1, 1]
    first, second, third = execution.verdicts
    assert (first.kind, first.message, first.follow_through) == ("failed", "double", None)
    assert (second.kind, second.message, second.clue.by) == ("passed", "", "")
    assert second.printed.startswith(
        "Your `double` did not pass its own test, so this test was judged once more with the solution's `double` in its place: 1 of 1 point."
    )
    assert second.printed.endswith("With your own, it said:\nquadruple\n")
    assert second.follow_through and third.follow_through
    assert (third.follow_through.names, third.follow_through.own_points, third.follow_through.points) == (("double",), 0, 1)


def test_a_notebook_without_the_switch_is_graded_as_ever(warm) -> None:
    source = build(*CHAIN)
    submitted = handed_in(source, WRONG, QUADRUPLE.source, OCTUPLE.source)
    execution = execute(submitted, Instructor(source), warm, LIMITS)
    assert points(execution) == [0, 0, 0]
    assert [verdict.message for verdict in execution.verdicts] == ["double", "quadruple", "octuple"]
