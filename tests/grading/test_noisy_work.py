"""Right work keeps its points, however noisy it is: in every lesson, and never fewer than with stock nbgrader.

Where noise breaks the learner's own code, here as in stock nbgrader, the message says what it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from nbformat import NotebookNode
from nbgrader.preprocessors import Execute
from nbgrader.utils import determine_grade

from authoring.lessons import ROOT, Lesson, find_lessons, read_text
from nbjudge import Execution, Limits, is_test
from nbjudge.testing.steps import Instructor, Job, Pool, grade_id

from .noisy_work import NOISE, noisy
from .test_parity import solved

pytestmark = pytest.mark.timeout(600, func_only=True)  # without the fixture, which executes all that this run asks about
# What breaks right work, and what its message then says.
COSTS = {
    "numpy_raises": "take out the line with `np.seterr`",
    "warnings_are_errors": "take out the line with `warnings`",
    "stars_of_torch": "is torch's and no more Python's own",
    "stars_of_numpy": "is numpy's and no more Python's own",
    "stars_of_pylab": "is numpy's and no more Python's own",
    "pylab": "is numpy's and no more Python's own",
    "builtin_name_as_loop": "and no more Python's own: call yours by another name",
    "list_is_a_list": "and no more Python's own: call yours by another name",
    "names_of_tests": "and no more Python's own: call yours by another name",
    "names_of_kinds": "and no more Python's own: call yours by another name",
    "names_of_loops": "and no more Python's own: call yours by another name",
    "names_of_sums": "and no more Python's own: call yours by another name",
    "torch_computes_in_float64": "take out the line with `torch.set_default_dtype`",
    "torch_without_gradients": "take out the line with `torch.set_grad_enabled`",
}
# `make test` asks these, in the first lesson; the others are what has never cost a point.
SAMPLE = ("numpy_raises", "stars_of_torch", "stars_of_numpy", "print_replaced", "output_to_a_file", "partial", "windows_line_ends", "colab_metadata")


def _chosen() -> Iterator[ParameterSet]:
    for number, lesson in enumerate(find_lessons()):
        for name in NOISE:
            marks = () if number == 0 and name in SAMPLE else pytest.mark.slow
            yield pytest.param(lesson, name, id=f"{lesson.assignment}/{name}", marks=marks)


@pytest.fixture(scope="module")
def executions(request: pytest.FixtureRequest) -> dict[tuple[str, str], Execution]:
    """What the grader says to what this run asks about, on all cores."""
    items = [getattr(item, "callspec", None) for item in request.session.items if item.path == request.path]
    places = dict.fromkeys((about.params["lesson"], about.params["name"]) for about in items if about)
    with Pool(packages=("attnlab",), limits=Limits(cell_seconds=10)) as pool:
        return dict(
            pool.run(
                Job((lesson.assignment, name), noisy(solved(lesson), name), Instructor(read_text(lesson), lesson.folder)) for lesson, name in places
            )
        )


@pytest.mark.parametrize(("lesson", "name"), _chosen())
def test_noise_costs_no_point_or_the_message_says_what_did(executions: dict[tuple[str, str], Execution], lesson: Lesson, name: str) -> None:
    verdicts = executions[lesson.assignment, name].verdicts
    lost = {verdict.grade_id: f"{verdict.message}\n{verdict.printed}" for verdict in verdicts if verdict.points < verdict.max_points}
    assert len(verdicts) > 3
    assert all(name in COSTS and COSTS[name] in said for said in lost.values()), lost


@pytest.mark.slow
@pytest.mark.parametrize("lesson", find_lessons(), ids=lambda lesson: lesson.assignment)
@pytest.mark.parametrize("name", COSTS)
def test_stock_nbgrader_gives_no_more(
    executions: dict[tuple[str, str], Execution], lesson: Lesson, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # stock nbgrader's kernels import what the lessons import
    ours = {verdict.grade_id: verdict.points for verdict in executions[lesson.assignment, name].verdicts}
    theirs = with_stock(noisy(solved(lesson), name), lesson, tmp_path)
    assert ours.keys() == theirs.keys()
    assert {test: points for test, points in theirs.items() if points > ours[test]} == {}


def with_stock(notebook: NotebookNode, lesson: Lesson, folder: Path) -> dict[str, float]:
    """Points of each test as nbgrader's own two steps give them: the instructor's tests run below the answers, and what they left is counted."""
    tests = {grade_id(cell): cell for cell in read_text(lesson).cells if is_test(cell)}
    for cell in notebook.cells:
        if cell.cell_type == "code" and (test := tests.get(grade_id(cell))):
            cell.source, cell.metadata = test.source, test.metadata
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    Execute(timeout=120).preprocess(notebook, {"metadata": {"path": str(folder)}})
    return {grade_id(cell): determine_grade(cell)[0] for cell in notebook.cells if grade_id(cell) in tests}
