"""What an instructor is told before any student is graded."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from helpers.courses import grade, make_course, recorded
from helpers.instructors import LIMITS, SQUARE, Given, Solution, build
from nbjudge._analysis.instructor import Instructor
from nbjudge._execution.check import check_notebook
from nbjudge._wire.errors import CannotGrade

pytestmark = pytest.mark.slow


def test_every_test_cell_has_a_finding(warm) -> None:
    source = build(
        Given("from no_such_module import close"),
        SQUARE,
        "assert square(2) == 4",
        "assert square(2) ==",
        "close(square(2), 4)",
        "assert square(2) == 5",
        "%timeit square(1)",
        Solution("class Box: pass\nbox = Box()\nfrom numpy.testing import assert_equal"),
        "assert len(box) == 1",
        "assert_equal(square(2), 4)",
        "square(1) / 2",
        Solution("from unittest.case import *\nfrom numpy.testing import *"),
        "assert_allclose(square(2), 4)",
    )
    findings = check_notebook(Instructor(source), warm, LIMITS)
    assert [finding.grade_id for finding in findings] == [f"t{number}" for number in range(1, 10)]
    assert [finding.is_full for finding in findings] == [True, False, False, False, False, False, True, False, True]
    assert all(bool(finding.why) == bool(finding.next_step) == (not finding.is_full) for finding in findings)
    said = {finding.grade_id: f"{finding.why}; {finding.next_step}" for finding in findings}
    assert "line 1: invalid syntax; mend the cell" == said["t2"]
    assert "no_such_module" in said["t3"] and "%timeit" in said["t5"] and "beside_students" in said["t5"]
    assert "does not pass" in said["t4"] and "beside_students" in said["t6"] and "0.5 points" in said["t8"]
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


def test_a_solution_that_stops_is_said(warm) -> None:
    with pytest.raises(CannotGrade, match="solution cell `s0` stops with ZeroDivisionError"):
        check_notebook(Instructor(build(Solution("1 / 0"), "assert True")), warm, LIMITS)


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
