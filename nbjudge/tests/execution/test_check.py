"""What an instructor is told before any student is graded."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell

from helpers.courses import grade, make_course, recorded
from helpers.instructors import LIMITS, SQUARE, Given, Solution, build, plain
from nbjudge._analysis.instructor import Instructor
from nbjudge._analysis.labels import is_random, readable, with_wrong_marks
from nbjudge._execution.check import NotebookCheck, check_notebook
from nbjudge.testing.notebooks import code, notebook, test_cell

pytestmark = pytest.mark.slow


def test_every_test_cell_has_a_finding(warm) -> None:
    source = build(
        Given("from no_such_module import close"),
        SQUARE,
        "assert square(2) == 4",
        "assert square(2) ==",
        "close(square(2), 4)",
        "assert square(2) == 5",
        "%timeit -n 1 -r 1 square(1)",
        Solution("class Box: pass\nbox = Box()\nfrom numpy.testing import assert_equal"),
        "assert len(box) == 1",
        "assert_equal(square(2), 4)",
        "square(1) / 2",
        Solution("from unittest.case import *\nfrom numpy.testing import *"),
        "assert_allclose(square(2), 4)",
    )
    findings = check_notebook(Instructor(source), warm, LIMITS)
    setup, *findings = findings
    assert setup.grade_id == "g0" and setup.why == "this set-up cell stops" and "no_such_module" in setup.said
    assert [finding.grade_id for finding in findings] == [f"t{number}" for number in range(1, 10)]
    assert [finding.is_full for finding in findings] == [True, False, False, False, False, False, True, False, True]
    assert all(bool(finding.why) == bool(finding.next_step) == (not finding.is_full) for finding in findings)
    assert [finding.road for finding in findings] == [
        "judged",
        "nowhere",
        "nowhere",
        "nowhere",
        "only beside",
        "nowhere",
        "judged",
        "nowhere",
        "judged",
    ]
    said = {finding.grade_id: f"{finding.why}; {finding.said}; {finding.next_step}" for finding in findings}
    assert "in an ordinary kernel, too" in said["t2"] and "SyntaxError" in said["t2"]
    assert "install it where nbjudge runs" in setup.next_step and findings[2].below == "g0" and "%timeit" in said["t5"]
    assert "AssertionError" in said["t4"] and "mend the test cell or the solution" in said["t4"]
    assert "TypeError: object of type 'Box' has no len()" in said["t6"] and "0.5 of 1 points" in said["t8"]
    # What a solution cell imports by its name is the grader's own here; what comes by a star is the student's.
    assert [finding.uncertain for finding in findings[:8]] == [()] * 8
    assert "`assert_allclose` is imported in the solution cell" in findings[8].uncertain[0]


def test_a_test_to_which_follow_through_gives_nothing_is_named(warm) -> None:
    quadruple = Solution("def quadruple(x):\n    return square(square(x))")
    tests = ["assert quadruple(2) == 16", "assert quadruple(2) == square(4)", "assert square(3) == 9"]
    source = build(SQUARE, "assert square(2) == 4", quadruple, *tests)
    off, on = (check_notebook(Instructor(source, follow_through=switch), warm, LIMITS) for switch in (False, True))
    assert not any(finding.alone for finding in off)
    assert [bool(finding.alone) for finding in on] == [False, False, True, False]
    assert on[2].alone[0].startswith("follow-through gives nothing here after a failure of `quadruple` or `square`: ")


def test_a_solution_that_stops_is_a_finding_and_the_tests_below_are_judged(warm) -> None:
    parts = [SQUARE, "assert square(2) == 4", Solution("half = 1 / 0"), "assert half == 2", "assert square(3) == 9"]
    findings = check_notebook(Instructor(build(*parts)), warm, LIMITS)
    assert [(one.grade_id, one.road, one.below) for one in findings] == [
        ("t1", "judged", ""),
        ("s2", "stops", ""),
        ("t2", "nowhere", "s2"),
        ("t3", "judged", ""),
    ]
    assert findings[1].said == "ZeroDivisionError: division by zero" and findings[1].next_step == "mend the solution"
    assert [one.is_full for one in findings] == [True, False, False, True]


def test_a_test_that_fails_is_told_below_the_first_given_cell_that_stops(warm) -> None:
    parts = [plain("1 / 0"), SQUARE, "assert square(2) == 4", plain("import no_such_module"), "assert no_such_module.f(square(2))"]
    findings = check_notebook(Instructor(build(*parts)), warm, LIMITS)
    assert [one.road for one in findings] == ["stops", "judged", "stops", "nowhere"]
    assert findings[3].below == findings[0].label  # the first that stops, whichever it was


BOX = Solution("class Box:\n    pass\nbox = Box()\nwhere = id(box)")
IDENTITY = "assert id(box) == where"  # only its own process can tell


def test_the_side_to_blame_is_tried_out(warm) -> None:
    hidden = "assert True\n### BEGIN HIDDEN TESTS\nassert box is None\n### END HIDDEN TESTS"
    tests = [IDENTITY, "def marked():\n    box.mark = 1\n    return box.mark\nassert marked() == 1", "assert box is None, 'no box'", hidden]
    source = build(SQUARE, "assert square(2) == 4", BOX, *tests)
    findings = check_notebook(Instructor(source), warm, LIMITS)
    assert [one.road for one in findings] == ["judged", "only beside", "judged", "nowhere", "nowhere"]
    assert findings[1].why == "over the wire it gives another result" and not findings[1].is_full
    assert findings[1].said == f"This check of the test does not hold: `{IDENTITY}`"
    assert findings[4].said == "AssertionError: at `assert box is None`"  # for whoever wrote the hidden test
    assert findings[3].said == "AssertionError: no box" and "with stock nbgrader" in findings[3].why
    named = check_notebook(Instructor(source, beside_students=frozenset({"t2", "of another notebook"})), warm, LIMITS)
    assert [one.road for one in named] == ["judged", "beside", "judged", "nowhere", "nowhere"]
    assert [one.is_full for one in named] == [True, True, True, False, False]


def test_what_is_dragged_along_is_named_too(warm) -> None:
    parts = [SQUARE, BOX, f"seen = square(2)\n{IDENTITY}", "assert seen == 4", "assert square(3) == 9"]
    check = NotebookCheck(Instructor(build(*parts)), warm, LIMITS)
    needed = {one.grade_id for one in check.findings(notes=False) if one.road == "only beside"}
    assert "t1" in needed and "t3" not in needed
    named = Instructor(build(*parts), beside_students=frozenset(needed))
    assert all(one.is_full for one in check_notebook(named, warm, LIMITS))
    assert check.lost_if_all_are_named() == frozenset()


def test_set_up_cells_that_stop_are_told_whatever_needs_them(warm) -> None:
    source = build(Given("open('gone.css')"), SQUARE, "assert square(2) == 4", Given("1 / 0"))
    found = check_notebook(Instructor(source), warm, LIMITS)
    assert [(one.label, one.road) for one in found] == [("g0", "stops"), ("t1", "judged"), ("g3", "stops")]


@pytest.mark.parametrize(
    ("source", "about", "is_wrong"),
    [
        ("### BEGIN SOLUTION\nx\n### END SOLUTION", {"solution": True}, False),
        ("### BEGIN SOLUTION\n### BEGIN SOLUTION\n### END SOLUTION", {"solution": True}, True),
        ("### BEGIN SOLUTION\nx", {"solution": True}, True),
        ("x\n### END SOLUTION", {"solution": True}, True),
        ("### BEGIN SOLUTION\nx\n### END SOLUTION", {}, True),
        ("### BEGIN HIDDEN TESTS\nx\n### END HIDDEN TESTS", {"grade": True}, False),
        ("### BEGIN HIDDEN TESTS\nx\n### END HIDDEN TESTS", {"solution": True}, True),
        ("### END HIDDEN TESTS\nx\n### BEGIN HIDDEN TESTS", {"grade": True}, True),
    ],
)
def test_cells_with_marks_that_nbgrader_refuses_are_found(source: str, about: dict[str, bool], is_wrong: bool) -> None:
    cells = notebook(code("1", grade_id="first"), code(source, grade_id="second", **about))
    assert with_wrong_marks(cells, Instructor(cells).answers, Instructor(cells).markers) == (["second"] if is_wrong else [])


def test_a_random_name_is_told_by_what_the_cell_is(warm) -> None:
    heading = new_markdown_cell("Some text\n\n## The square ##")
    random = test_cell("cell-8a3f09c2d4e5f607", "# a remark\nassert square(2) == 5")
    uuid = test_cell("0e984725-c51c-4bf4-9960-e1c80e27aba0", "assert 1 == 2")
    source = notebook(heading, *build(SQUARE).cells, random, uuid, test_cell("square_test", "assert square(2) == 5"))
    assert [one.label for one in check_notebook(Instructor(source), warm, LIMITS)] == [
        "cell 3 (`square`: `assert square(2) == 5`)",
        'cell 4 ("The square": `assert 1 == 2`)',
        "square_test",
    ]
    assert readable(source) == {"cell-8a3f09c2d4e5f607": "square_cell_3", "0e984725-c51c-4bf4-9960-e1c80e27aba0": "The_square_cell_4"}
    assert not any(map(is_random, ["cell-one", "deadbeef", "part_a_12345678", "a1", "week-20"]))


def test_a_class_with_a_broken_test_cell_asks_for_another_run(tmp_path: Path) -> None:
    root = make_course(tmp_path / "course", students=1, first_cell="import math")
    source = root / "source" / "first" / "work.ipynb"
    right = nbformat.read(source, as_version=4)
    broken = nbformat.from_dict(right)
    broken.cells[-1].source = "import no_such_module\nassert double(4) == 8"
    nbformat.write(broken, source)
    done = grade(root)
    assert done.returncode == 1 and "no_such_module" in done.stdout and recorded(root) == {"s0": 0}
    assert "1 answer to double test" in done.stdout and "0 not graded\n" in done.stdout
    nbformat.write(right, source)
    assert grade(root).returncode == 0 and recorded(root) == {"s0": 2}
