"""Files, modules and helpers of the instructor's, what the instructor has to mend, and test cells beside the student's code."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from helpers.instructors import EMPTY, LIMITS, SQUARE, Given, Solution, build, handed_in, plain
from nbjudge._analysis.instructor import Instructor, as_recorded, only_tests
from nbjudge._execution.execute import execute
from nbjudge.testing.notebooks import test_cell

HELPER = "LIMIT = 9\ndef close(a, b):\n    assert a == b\n    return open('wanted.txt').read().strip()\n"


def test_tests_find_the_instructors_files_and_modules(verdicts, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "wanted.txt").write_text("nine\n")
    parts = [
        Given("from helper import *"),
        SQUARE,
        "assert close(square(3), LIMIT) == 'nine'",
        "import helper\nassert helper.close(square(2), 4) == 'nine'",
        "from pathlib import Path\nPath('written').write_text('x')\nassert square(1) == 1",
    ]
    assert [verdict.kind for verdict in verdicts(parts, folder=tmp_path)] == ["passed"] * 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["helper.py", "wanted.txt"]
    assert "helper" not in sys.modules


def test_a_submissions_own_helper_is_not_the_tests(warm, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder, text in ((ours, HELPER), (theirs, "LIMIT = None\ndef close(a, b):\n    print('hidden', b)\n    return 'nine'\n")):
        folder.mkdir()
        (folder / "helper.py").write_text(text)
    (ours / "wanted.txt").write_text("nine")
    source = build(Given("import helper"), SQUARE, "helper.close(square(3), 9) == 'nine'")
    [verdict] = execute(handed_in(source, EMPTY), Instructor(source, ours), warm, LIMITS, [theirs]).verdicts
    assert (verdict.kind, verdict.points, verdict.printed) == ("failed", 0, "")


def test_modules_of_two_assignments_do_not_mix(verdicts, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "parts").mkdir(parents=True)
        (tmp_path / name / "helper.py").write_text(f"NAME = {name!r}")
        (tmp_path / name / "parts" / "__init__.py").write_text(f"NAME = {name!r}")
    for name in ("one", "two", "one"):
        test = f"import helper, parts\nassert helper.NAME == parts.NAME == {name!r}"
        assert [verdict.kind for verdict in verdicts([SQUARE, test], folder=tmp_path / name)] == ["passed"], name


def test_a_students_files_give_way_to_the_instructors(warm, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs):
        folder.mkdir()
        (folder / "data.txt").write_text(folder.name)
    (theirs / "own.txt").write_text("own")
    (tmp_path / "elsewhere").write_text("untouched")
    (ours / "linked.txt").write_text("ours")
    (theirs / "linked.txt").symlink_to(tmp_path / "elsewhere")
    source = build(
        Solution("def read(name):\n    return open(name).read()"),
        "assert [read('data.txt'), read('own.txt'), read('linked.txt')] == ['ours', 'own', 'ours']",
    )
    [verdict] = execute(source, Instructor(source, ours), warm, LIMITS, [theirs, ours]).verdicts
    assert verdict.kind == "passed", verdict
    assert (tmp_path / "elsewhere").read_text() == "untouched"


def test_a_set_up_cell_that_fails_here_gives_way_to_the_students_data(verdicts) -> None:
    parts = [plain("rows = open('only_there.txt').read().split()"), SQUARE, "assert rows == ['a', 'b'] and square(1) == 1"]
    source = build(*parts)
    source.cells[0].source = "open('only_there.txt', 'w').write('a b')\n" + source.cells[0].source
    # The grader runs the second line alone, and does not find the file.
    assert [verdict.kind for verdict in verdicts([plain(source.cells[0].source), *parts[1:]])] == ["passed"]


MISSING = {
    "a name that nobody makes": ([SQUARE, "assert_equal(square(2), 4)"], "no cell of the instructor's notebook makes `assert_equal`"),
    "an import that fails in set-up": ([Given("from no_such_module import close"), SQUARE, "close(square(2), 4)"], "no_such_module"),
    "a star import that fails": ([Given("from no_such_module import *"), SQUARE, "close(square(2), 4)"], "no_such_module"),
    "a helper whose decorator fails": (
        [Given("def broken(f): raise ValueError('no')\n@broken\ndef close(a, b): pass"), SQUARE, "close(square(2), 4)"],
        "ValueError: no",
    ),
}


@pytest.mark.parametrize(("parts", "reason"), MISSING.values(), ids=MISSING.keys())
def test_what_the_instructor_has_to_mend_is_no_students_fault(verdicts, parts: list, reason: str) -> None:
    for answers in ([], [EMPTY]):
        verdict = verdicts(parts, *answers)[-1]
        assert verdict.kind == "unjudged" and reason in verdict.message


def test_what_a_student_does_not_define_is_the_students(verdicts) -> None:
    [verdict] = verdicts([SQUARE, "assert square(2) == 4"], "cube = 1")
    assert verdict.kind == "failed" and "defines no `square`" in verdict.message
    first, second = verdicts([SQUARE, "four = square(2)", "assert four == 4"], "def square(x): raise ValueError")
    assert (first.kind, second.kind) == ("failed", "failed") and "earlier test" in second.message


def test_a_placeholder_without_a_solution_leaves_names_to_the_student(verdicts) -> None:
    [verdict] = verdicts([Solution("# put the answer into `answer`"), "assert answer == 42"], "pass")
    assert verdict.kind == "failed" and "defines no `answer`" in verdict.message


def test_what_a_test_expects_is_not_given_to_a_student_who_asks_for_it(verdicts) -> None:
    parts = [SQUARE, "expected = 9\nassert square(3) == expected"]
    [verdict] = verdicts(parts, "expected = None\ndef square(x):\n    return expected")
    assert (verdict.kind, verdict.points) == ("failed", 0)


def test_arguments_are_changed_only_where_the_solution_changes_them(verdicts) -> None:
    test = "xs = [3, 1]\nassert total(xs) == 4 and xs == [3, 1]"
    [verdict] = verdicts([Solution("def total(xs):\n    return sum(xs)"), test], "def total(xs):\n    xs.sort()\n    return sum(xs)")
    assert (verdict.kind, verdict.points) == ("failed", 0) and "changed its argument" in verdict.message


def test_a_test_sees_a_wrong_change(verdicts) -> None:
    parts = [Solution("def order(xs):\n    xs.sort()"), "xs = [3, 1, 2]\norder(xs)\nassert xs == [1, 2, 3]"]
    for answer in ("def order(xs):\n    return sorted(xs)", "def order(xs):\n    xs.reverse()", "def order(xs):\n    xs.clear()"):
        [verdict] = verdicts(parts, answer)
        assert (verdict.kind, verdict.points) == ("failed", 0)


BESIDE = {
    "generators": (
        Solution("def count():\n    n = 0\n    while True:\n        yield n\n        n += 1"),
        "g = count()\nassert [next(g), next(g)] == [0, 1]",
    ),
    "the shell": (SQUARE, "assert 'square' in get_ipython().user_ns\nassert square(2) == 4"),
    "a magic": (SQUARE, "%time x = square(3)\nassert x == 9"),
}


@pytest.mark.parametrize(("answer", "test"), BESIDE.values(), ids=BESIDE.keys())
def test_a_named_cell_runs_beside_the_students_code(verdicts, answer: Solution, test: str) -> None:
    [verdict] = verdicts([answer, test], beside_students=frozenset({"t1"}))
    assert (verdict.kind, verdict.points) == ("passed", 1) and "second road" in verdict.note
    [verdict] = verdicts([answer, test], "count = square = None", beside_students=frozenset({"t1"}))
    assert (verdict.kind, verdict.points) == ("failed", 0) and "second road" in verdict.note


def test_a_cell_beside_the_student_needs_its_end(verdicts) -> None:
    about = {"beside_students": frozenset({"t1"})}
    test = "assert square(2) == 4\nprint('seen')\nsquare(1) / 4"
    [verdict] = verdicts([SQUARE, test], **about)
    assert (verdict.kind, verdict.points, verdict.printed) == ("partial", 0.25, "seen\n")
    for answer in (
        "import os\ndef square(x):\n    os._exit(0)",
        "def square(x):\n    exit()",
        "def square(x):\n    raise SystemExit",
        "def square(x):\n    while True: pass",
    ):
        [verdict] = verdicts([SQUARE, test], answer, **about)
        assert verdict.points == 0 and verdict.message, answer


def test_what_a_cell_of_the_second_road_makes_of_the_students_work_is_there(verdicts) -> None:
    parts = [SQUARE, "four = square(2)", "assert four == 4 and square(3) == 9"]
    first, second = verdicts(parts, beside_students=frozenset({"t1"}))
    assert first.kind == "passed" and second.kind == "unjudged" and "`four`, which a test cell of the second road makes" in second.message
    for named in ({"t2"}, {"t1", "t2"}):
        assert [verdict.kind for verdict in verdicts(parts, beside_students=frozenset(named))] == ["passed", "passed"]


def test_recorded_tests_replace_those_of_the_source() -> None:
    source, recorded = build(Given("import math"), SQUARE, "assert False", "assert never_released"), build("assert True", "late")
    recorded.cells = [recorded.cells[0], test_cell("late", "late")]
    joined = as_recorded(source, recorded)
    assert [cell.source for cell in joined.cells] == ["import math", SQUARE.source, "assert True", "late"]
    assert as_recorded(None, recorded) is recorded
    assert list(replace(only_tests(joined), complete=True).tests) == ["t1", "late"]
