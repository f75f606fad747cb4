"""Cells that the instructor tagged `skip-execution` are there for readers: training, for example. Grading passes over them, as nbclient does."""

from __future__ import annotations

import copy

import pytest
from nbformat import NotebookNode

from nbjudge._analysis.instructor import SKIPPED, Instructor
from nbjudge._execution.execute import execute
from nbjudge._wire.limits import Limits
from nbjudge.testing.notebooks import code, notebook, test_cell

LIMITS = Limits(test_seconds=5, cell_seconds=5)
SOLVED = code("def f(x):\n    return x + 1", solution=True, grade_id="f")


def tagged(source: str) -> NotebookNode:
    cell = code(source)
    cell.metadata.tags = [SKIPPED]
    return cell


def lesson(skipped: NotebookNode) -> NotebookNode:
    return notebook(SOLVED, skipped, test_cell("f_test", "assert f(1) == 2", 2))


def test_a_tagged_cell_is_not_run(warm) -> None:
    source = lesson(tagged("def f(x):\n    return 'trained'\nprint('ran')"))
    result = execute(copy.deepcopy(source), Instructor(source), warm, LIMITS)
    assert [verdict.points for verdict in result.verdicts] == [2.0]
    assert result.notebook.cells[1].outputs == []


def test_its_names_are_no_names_of_the_instructors(warm) -> None:
    """What the cell binds would otherwise decide whose `f` the test means."""
    source = notebook(SOLVED, tagged("def f(x):\n    return x + 1"), test_cell("f_test", "assert f(1) == 2", 2))
    wrong = copy.deepcopy(source)
    wrong.cells[0].source = "def f(x):\n    return x"
    (verdict,) = execute(wrong, Instructor(source), warm, LIMITS).verdicts
    assert verdict.points == 0


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda cell: cell.update(source="helper = 1\n" + cell.source), id="the student's own line in it"),
        pytest.param(lambda cell: cell.update(source="helper = 1"), id="the student's own cell in its place"),
    ],
)
def test_what_a_student_wrote_is_run_whatever_its_tag(warm, change) -> None:
    source = lesson(tagged("print('trained')"))
    submission = copy.deepcopy(source)
    submission.cells[0].source = "def f(x):\n    return x + helper"
    change(submission.cells[1])
    (verdict,) = execute(submission, Instructor(source), warm, LIMITS).verdicts
    assert verdict.points == 2


def test_a_tag_of_the_students_keeps_nothing_from_running(warm) -> None:
    source = lesson(code("print('shown')"))
    submission = copy.deepcopy(source)
    for cell in submission.cells:
        cell.metadata.tags = [SKIPPED]
    result = execute(submission, Instructor(source), warm, LIMITS)
    assert [verdict.points for verdict in result.verdicts] == [2.0]
    assert result.notebook.cells[1].outputs[0].text == "shown\n"


def test_a_graded_cell_cannot_be_skipped(warm) -> None:
    """The tag on the instructor's own solution or test cell means nothing."""
    source = lesson(code("print('shown')"))
    for cell in source.cells:
        cell.metadata.tags = [SKIPPED]
    wrong = copy.deepcopy(source)
    wrong.cells[0].source = "def f(x):\n    return x"
    right, lost = (execute(one, Instructor(source), warm, LIMITS).verdicts[0].points for one in (copy.deepcopy(source), wrong))
    assert (right, lost) == (2, 0)
