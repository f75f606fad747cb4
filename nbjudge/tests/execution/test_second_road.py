"""The second road: named test cells run together with the student's code, in a process of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.instructors import EMPTY, SQUARE, Solution
from helpers.standins.functions import FUNCTIONS
from helpers.standins.libraries import LIBRARIES
from helpers.standins.objects import OBJECTS
from helpers.untravelled import UNTRAVELLED
from hostile import CHEATS, SETUP_CHEATS, cheat_source, cheat_submission, set_up
from nbjudge._analysis.instructor import Instructor
from nbjudge._execution.execute import execute

CASES = {**FUNCTIONS, **OBJECTS, **LIBRARIES}
# What earns points there; docs/promises.md says why. Everything else in the folder gets none.
PAID = {
    "annotation_as_code",
    "doctest_in_docstring",
    "file_written_before",
    "masked_more_than_the_solution",
    "masked_where_another_function_may",
    "pickle_that_runs",
}

BESIDE = "import math\nwanted = 4\nassert square(2) == wanted"


def test_what_it_makes_is_made_for_the_tests_below_of_the_instructors_text(verdicts) -> None:
    parts = [SQUARE, BESIDE, "assert square(2) == wanted"]
    named = frozenset({"t1"})
    assert [verdict.kind for verdict in verdicts(parts, beside_students=named)] == ["passed", "passed"]
    cheat = "class Always(int):\n    def __setattr__(self, *_): pass\ndef square(x):\n    globals()['wanted'] = 0\n    return 0"
    assert [verdict.kind for verdict in verdicts(parts, cheat, beside_students=named)] == ["failed", "failed"]


def test_what_it_imports_and_what_others_make_themselves_are_theirs(verdicts) -> None:
    parts = [
        SQUARE,
        BESIDE,
        "assert math.isclose(square(3), 9)",
        "wanted = 25\nassert square(5) == wanted",
        "def check():\n    return wanted\nassert check() == 25",
        "assert square(2) == 4",
    ]
    found = verdicts(parts, beside_students=frozenset({"t1"}))
    assert [(verdict.kind, verdict.message) for verdict in found] == [("passed", "")] * 5


@pytest.mark.parametrize(("answer", "test", "wrong"), UNTRAVELLED.values(), ids=UNTRAVELLED.keys())
def test_what_does_not_travel_is_judged_there(answer: str, test: str, wrong: str, verdicts) -> None:
    parts, named = [Solution(answer), test], frozenset({"t1"})
    [right] = verdicts(parts, beside_students=named)
    assert (right.kind, right.points, right.message) == ("passed", 1, "") and "second road" in right.note
    [other] = verdicts(parts, wrong, beside_students=named)
    assert other.points == 0 and other.message


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "test"), CASES.values(), ids=CASES.keys())
def test_what_travels_is_judged_there_too(answer: str, test: str, verdicts) -> None:
    [verdict] = verdicts([Solution(answer), test], beside_students=frozenset({"t1"}))
    assert (verdict.kind, verdict.message) == ("passed", "")


def test_tests_share_names_in_order_and_a_fault_costs_its_own_points(verdicts) -> None:
    parts = [
        Solution("import os\ndef work(x):\n    return x + 1"),
        "shared = work(1)\ndef expected(x):\n    return x + 1",
        "assert work(7) == expected(7)",
        "assert shared == 2 and work(2) == expected(2)",
    ]
    named = frozenset({"t1", "t2", "t3"})
    assert [verdict.kind for verdict in verdicts(parts, beside_students=named)] == ["passed"] * 3
    for fault, kind in (("os._exit(3)", "ended"), ("while True: pass", "timeout"), ("raise SystemExit", "failed")):
        answer = f"import os\ndef work(x):\n    if x == 7:\n        {fault}\n    return x + 1"
        found = verdicts(parts, answer, beside_students=named)
        assert [verdict.kind for verdict in found] == ["passed", kind, "passed"], (fault, found)


def test_only_what_is_named_is_judged_there_and_nothing_else_reaches_the_first_kernel(verdicts) -> None:
    seen = "seen = []\ndef square(x):\n    seen.append(x)\n    return x * x"
    parts = [Solution(seen), "assert square(2) == 4", "assert square(3) == 9 and seen == [3]"]
    first, second = verdicts(parts, seen, beside_students=frozenset({"t1"}))
    assert (first.kind, second.kind) == ("passed", "passed")
    assert "second road" in first.note and not second.note


def test_points_for_a_part_and_messages_are_as_on_the_first_road(verdicts) -> None:
    named = frozenset({"t1", "t2", "t3", "t4"})
    hidden = "### BEGIN HIDDEN TESTS\nimport numpy as np\nnp.testing.assert_allclose(square(7), 49)\n### END HIDDEN TESTS"
    parts = [SQUARE, "print('seen')\nsquare(1) / 4", "assert square(2) == 4, 'two'", hidden, "assert square(3) == 9"]
    part, *_ = verdicts(parts, beside_students=named)
    assert (part.kind, part.points, part.printed) == ("partial", 0.25, "seen\n")
    for answer in ("def square(x):\n    return 0.0", "def square(x):\n    return x * x if x < 3 else 1 / 0"):
        there, here = verdicts(parts, answer, beside_students=named), verdicts(parts, answer)
        assert [(v.kind, v.points, v.message) for v in there] == [(v.kind, v.points, v.message) for v in here]
        assert all("49" not in v.message for v in there)


def test_a_cell_that_the_solution_does_not_pass_is_excused_there_too(verdicts) -> None:
    parts = [SQUARE, "assert square(2) == 5", "assert square(2) == 4"]
    found = verdicts(parts, EMPTY, beside_students=frozenset({"t1", "t2"}))
    assert [verdict.kind for verdict in found] == ["unjudged", "failed"]
    [broken] = verdicts([SQUARE, "import no_such_module_here"], EMPTY, beside_students=frozenset({"t1"}))
    assert broken.kind == "unjudged" and "no_such_module_here" in broken.message


def test_a_checker_in_a_file_of_the_instructors_is_made_of_the_instructors_text(verdicts, tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text("def check(f):\n    assert f(3) == 9, 'three'\n")
    parts, named = [SQUARE, "import checks\nchecks.check(square)"], frozenset({"t1"})
    [right] = verdicts(parts, folder=tmp_path, beside_students=named)
    assert right.kind == "passed", right
    cheat = "import checks\nchecks.check = lambda *_: None\ndef square(x):\n    return 0"
    [verdict] = verdicts(parts, cheat, folder=tmp_path, beside_students=named)
    assert (verdict.kind, verdict.message) == ("failed", "three")


@pytest.mark.parametrize("path", [*CHEATS, *SETUP_CHEATS], ids=lambda path: path.stem)
@pytest.mark.slow
def test_a_cheat_is_paid_where_it_is_known_to_be(path: Path, warm, limits) -> None:
    source, submission = set_up(path) or (cheat_source(), cheat_submission(path))
    instructor = Instructor(source, beside_students=frozenset(Instructor(source).tests))
    found = execute(submission, instructor, warm, limits, excuse=False).verdicts
    assert (sum(verdict.points for verdict in found) > 0) == (path.stem in PAID), found


@pytest.mark.slow
def test_honest_work_on_what_the_cheats_attack_gets_everything(warm, limits) -> None:
    for source in [cheat_source(), *(set_up(path)[0] for path in SETUP_CHEATS)]:
        instructor = Instructor(source, beside_students=frozenset(Instructor(source).tests))
        assert all(verdict.points == 2 for verdict in execute(source, instructor, warm, limits, excuse=False).verdicts), source.cells[1:]
