"""A test cell that the instructor's own solution does not pass here costs nobody points: a person looks at it, and at nothing else."""

from __future__ import annotations

import copy
import os
from dataclasses import replace
from pathlib import Path

import pytest
from nbformat import NotebookNode

from helpers.instructors import EMPTY, LIMITS, SQUARE, Given, Solution, build, handed_in, plain
from nbjudge._analysis.instructor import Instructor
from nbjudge._course.result_cache import AboutSolution, ResultStore
from nbjudge._execution import excused as excuses
from nbjudge._execution import execute as execution
from nbjudge._execution import solution_values
from nbjudge._execution.excused import excused
from nbjudge._execution.execute import execute
from nbjudge._execution.verdicts import FOR_STUDENT, NOT_JUDGED, Verdict
from nbjudge.testing.notebooks import code

pytestmark = pytest.mark.slow

WRONG = "def square(x):\n    return x + 1"


def kinds(verdicts: list[Verdict]) -> list[str]:
    return [verdict.kind for verdict in verdicts]


def test_what_the_solution_does_not_pass_is_not_judged(verdicts) -> None:
    parts = [SQUARE, "assert square(2) == 5", "assert square(3) == 9, 'three'", "while square(1) == 1:\n    pass\nassert False"]
    wrong = verdicts(parts, EMPTY)
    assert kinds(wrong) == ["unjudged", "failed", "unjudged"]
    assert "own solution does not pass" in wrong[0].message and wrong[0].points == 0 and wrong[1].message == "three"


def test_whoever_passes_it_all_the_same_keeps_the_points(verdicts) -> None:
    parts = [SQUARE, "assert square(2) == 5", "assert square(2) == 4"]
    assert kinds(verdicts(parts, "def square(x):\n    return 5")) == ["passed", "failed"]


def test_the_solution_itself_handed_in_is_not_judged_either(verdicts) -> None:
    parts = [SQUARE, "assert square(2) == 5", "assert square(1) == 1"]
    assert kinds(verdicts(parts, SQUARE.source)) == ["unjudged", "passed"]
    assert kinds(verdicts(parts)) == ["failed", "passed"]  # the instructor's own notebook, as `nbjudge check` looks at it


def test_the_notebook_has_what_is_for_the_student_alone(warm) -> None:
    source = build(SQUARE, "print(5)\nassert square(2) == 5, 'it has to be 5'")
    execution = execute(handed_in(source, EMPTY), Instructor(source), warm, LIMITS)
    [output] = execution.notebook.cells[-1].outputs
    assert (output.ename, output.evalue) == (NOT_JUDGED, FOR_STUDENT)
    assert "it has to be 5" in execution.verdicts[0].message


@pytest.mark.parametrize(
    "solution",
    [
        "",
        "# your answer",
        "def square(x):\n    pass",
        "def square(x):\n    raise NotImplementedError()",
        "square = ...",
        "square = None",
        "def square(x):\n    x = x + 0\n    raise NotImplementedError",
        "raise NotImplementedError()",
        "class square:\n    def __init__(self, x):\n        pass\n    def __eq__(self, other):\n        pass",
    ],
)
def test_a_notebook_without_solutions_excuses_nobody(verdicts, solution: str) -> None:
    """Of one that was only released nothing can be learned: a wrong answer costs points there as before."""
    parts = [plain("import math"), Solution(solution), "assert square(2) == 4"]
    assert kinds(verdicts(parts, WRONG)) == ["failed"]


def test_solutions_are_not_known_without_the_instructors_notebook(verdicts) -> None:
    assert kinds(verdicts([SQUARE, "assert square(2) == 5"], EMPTY, complete=False)) == ["failed"]


def test_a_cell_that_people_grade_needs_no_solution(warm) -> None:
    source = build(SQUARE, Solution("# draw something"), "assert square(2) == 5")
    source.cells[1].metadata["nbgrader"] |= {"grade": True, "points": 2}
    [verdict] = execute(handed_in(source, EMPTY, "1"), Instructor(source), warm, LIMITS).verdicts
    assert verdict.kind == "unjudged"


def test_a_solution_that_passes_at_the_second_try_is_believed(warm) -> None:
    good, bad = build(SQUARE, "assert square(2) == 4"), build(Solution(WRONG), "assert square(2) == 4")
    answers = iter([execute(bad, Instructor(bad), warm, LIMITS), execute(good, Instructor(good), warm, LIMITS)])
    lost = [Verdict("t1", 0.0, 1.0, "failed", "no")]
    assert excused(lost, Instructor(bad), LIMITS, None, lambda: next(answers)) == lost
    assert next(answers, None) is None


@pytest.mark.parametrize(("clock", "kind"), [("time.perf_counter()", "unjudged"), ("len(str(3))", "failed")])
def test_a_test_that_reads_a_clock_cannot_judge_where_the_solution_fails_once(warm, clock: str, kind: str) -> None:
    source = build(Given("import time"), SQUARE, f"began = {clock}\nassert square(2) == 4 and {clock} - began < 0.1")
    right = execute(source, Instructor(source), warm, LIMITS)
    slow = replace(right, verdicts=[replace(verdict, kind="failed", points=0.0, message="it takes too long") for verdict in right.verdicts])
    answers = iter([right, slow, right])
    [verdict] = excused([Verdict("t1", 0.0, 1.0, "failed")], Instructor(source), LIMITS, None, lambda: next(answers))
    assert verdict.kind == kind


def test_it_is_looked_at_once_and_only_when_somebody_loses_points(warm) -> None:
    source, asked = build(SQUARE, "assert square(7) == 50"), []

    def run():
        asked.append(1)
        return execute(source, Instructor(source), warm, LIMITS)

    for points, kind, becomes in (
        (1.0, "passed", "passed"),
        (1.0, "partial", "partial"),
        (0.0, "unjudged", "unjudged"),
        (0.0, "failed", "unjudged"),
        (0.5, "partial", "unjudged"),
        (0.0, "ended", "unjudged"),
    ):
        [verdict] = excused([Verdict("t1", points, 1.0, kind)], Instructor(source), LIMITS, None, run)
        assert (verdict.kind, len(asked)) == (becomes, 0 if becomes == kind else 2)
    assert len(asked) == 2


@pytest.mark.parametrize("again", [True, False])
def test_a_solution_that_the_machine_kept_from_running_is_run_again(warm, monkeypatch: pytest.MonkeyPatch, again: bool) -> None:
    """Of what the solution does in a crowd nothing is known: the caller tries again when it is quiet, or it is tried here."""
    source, runs, once = build(SQUARE, "assert square(2) == 5", f"assert False, 'again: {again}'"), [], execution._once

    def in_a_crowd(notebook: NotebookNode, *rest: object) -> execution.Execution:
        result = once(notebook, *rest)
        runs.append(notebook is source)
        return replace(result, hindered=True) if runs == [False, True] else result

    monkeypatch.setattr(execution, "_once", in_a_crowd)
    result = execute(handed_in(source, EMPTY), Instructor(source), warm, LIMITS, again=again)
    assert (kinds(result.verdicts), result.hindered) == ((["unjudged"] * 2, False) if again else (["failed"] * 2, True))
    assert runs == [False] + [True] * (3 if again else 1)


def test_a_helper_that_was_mended_counts(warm, tmp_path: Path) -> None:
    helper = tmp_path / "helper.py"
    helper.write_text("WANTED = 5\n")
    source = build(Given("import helper"), SQUARE, "assert square(2) == helper.WANTED")
    found = []
    for _ in range(2):
        found += execute(handed_in(source, EMPTY), Instructor(source, tmp_path), warm, LIMITS, [tmp_path]).verdicts
        helper.write_text("WANTED = 4\n")
        os.utime(helper, (1, 1))
    assert kinds(found) == ["unjudged", "failed"]


GIVEN_OUT = "# YOUR CODE HERE\nraise NotImplementedError()"


@pytest.mark.parametrize(
    "answer, extra, file, kind",
    [
        (GIVEN_OUT, None, None, "failed"),
        (f"\n{GIVEN_OUT}  ", "", None, "failed"),
        (EMPTY, None, None, "unjudged"),
        (GIVEN_OUT, "x = 1", None, "unjudged"),
        (GIVEN_OUT, None, ("table.csv", "1,2"), "failed"),
        (GIVEN_OUT, None, ("table.csv", "3,4"), "unjudged"),
        (GIVEN_OUT, None, ("square.py", ""), "unjudged"),
        (GIVEN_OUT, None, ("timestamp.txt", "today"), "failed"),
        (GIVEN_OUT, None, (".cache", "x"), "failed"),
    ],
)
def test_where_nothing_was_done_there_is_nothing_to_look_at(
    warm, tmp_path: Path, answer: str, extra: str | None, file: tuple[str, str] | None, kind: str
) -> None:
    """A test that could not judge gives such a hand-in no points, whether its own text is at fault or the solution does not pass it."""
    given, own = tmp_path / "given", tmp_path / "own"
    for folder in (given, own):
        folder.mkdir()
        (folder / "table.csv").write_text("1,2")
    if file:
        (own / file[0]).write_text(file[1])
    source = build(plain("limit = 3"), SQUARE, "assert square(2) == 5", "assert square(2) ==", "assert square(limit) == 9")
    instructor = Instructor(source, given, handed_out=frozenset({GIVEN_OUT, "limit = 3"}))
    submitted = handed_in(source, answer)
    submitted.cells += [] if extra is None else [code(extra)]
    result = execute(submitted, instructor, warm, LIMITS, [own, given])
    assert kinds(result.verdicts) == [kind, kind, "failed"] and not sum(verdict.points for verdict in result.verdicts)
    assert all(verdict.has_lost for verdict in result.verdicts) == (kind == "failed")


def test_a_second_cell_of_a_tests_name_is_the_students(warm) -> None:
    source = build(SQUARE, "assert square(2) ==")
    submitted = handed_in(source, GIVEN_OUT)
    again = copy.deepcopy(submitted.cells[-1])
    again.source = "def square(x):\n    return x * x"
    submitted.cells.append(again)
    [verdict] = execute(submitted, Instructor(source, handed_out=frozenset({GIVEN_OUT})), warm, LIMITS).verdicts
    assert verdict.kind == "unjudged"


def test_a_cell_beside_the_student_is_treated_alike(verdicts) -> None:
    parts = [SQUARE, "assert square(2) == 5", "assert square(2) == 4"]
    assert kinds(verdicts(parts, EMPTY, beside_students=frozenset({"t1", "t2"}))) == ["unjudged", "failed"]


BESIDE_WORK = {
    "an abstract class": "from abc import ABC, abstractmethod\nclass Shape(ABC):\n    @abstractmethod\n    def area(self):\n        pass\n",
    "an abstract class that raises": "from abc import ABC\nclass Shape(ABC):\n    def area(self):\n        raise NotImplementedError\n",
    "a protocol": "from typing import Protocol\nclass Shape(Protocol):\n    def area(self) -> float: ...\n",
    "overloads": "from typing import overload\n@overload\ndef g(x: int) -> int: ...\n@overload\ndef g(x: str) -> str: ...\ndef g(x):\n    return x\n",
    "a base class": "class Shape:\n    def area(self):\n        raise NotImplementedError\n"
    "class Unit(Shape):\n    def area(self):\n        return 1\n",
    "an exception": "class TooLarge(Exception):\n    pass\n",
    "an empty callback": "def nothing(*arguments):\n    pass\n",
    "an empty class": "class Node:\n    pass\n",
    "a name for nothing": "best = None\n",
    "a constant function": "def zero(x):\n    return 0\n",
}


@pytest.mark.parametrize("beside", BESIDE_WORK.values(), ids=BESIDE_WORK.keys())
def test_what_is_there_to_be_derived_from_is_no_missing_solution(verdicts, beside: str) -> None:
    parts = [Solution(beside + SQUARE.source), "assert square(2) == 5", "assert square(2) == 4"]
    assert kinds(verdicts(parts, beside + EMPTY)) == ["unjudged", "failed"]


def test_an_example_of_the_name_in_a_plain_cell_is_no_missing_solution(verdicts) -> None:
    box = "class Box:\n    def size(self):\n        return 1"
    parts = [plain("class Box:\n    pass"), Solution(box), "assert Box().size() == 2"]
    assert kinds(verdicts(parts, box.replace("1", "3"))) == ["unjudged"]


def test_a_base_class_of_a_cell_below_is_no_missing_solution(verdicts) -> None:
    base = "class Shape:\n    def area(self):\n        raise NotImplementedError"
    unit = "class Unit(Shape):\n    def area(self):\n        return 1"
    parts = [Solution(base), Solution(unit), "assert Unit().area() == 2"]
    assert kinds(verdicts(parts, base, unit.replace("1", "3"))) == ["unjudged"]


def test_a_solution_that_is_missing_says_nothing_of_its_own_tests_and_of_no_others(verdicts) -> None:
    missing = Solution("def cube(x):\n    raise NotImplementedError()")
    uses = Solution("def ninth(x):\n    return cube(cube(x))")
    parts = [SQUARE, "assert square(2) == 5", missing, "assert cube(2) == 8", uses, "assert ninth(2) == 512", "assert square(3) == 10"]
    found = verdicts(parts, EMPTY, "def cube(x):\n    return x", uses.source)
    assert kinds(found) == ["unjudged", "failed", "failed", "unjudged"]


def test_a_solution_cell_that_stops_excuses_those_who_lose_for_it(verdicts) -> None:
    parts = [SQUARE, "assert square(2) == 4", Solution("here = unknown\ndef half(x):\n    return x / 2"), "assert half(4) == 2"]
    found = verdicts(parts, EMPTY, "def half(x):\n    return 1")
    assert kinds(found) == ["failed", "unjudged"]
    assert "`s2` stops with NameError: name 'unknown' is not defined" in found[1].message
    assert kinds(verdicts(parts, SQUARE.source, "def half(x):\n    return x / 2")) == ["passed", "passed"]


def test_what_set_up_makes_of_an_earlier_tests_value_is_missing_where_that_test_stopped(verdicts) -> None:
    parts = [SQUARE, "four = square(2)\nassert four == 4\nfive = four + 1", Given("six = five + 1\nseven = six + 1"), "assert seven == 7"]
    assert kinds(verdicts(parts, SQUARE.source)) == ["passed", "passed"]
    found = verdicts(parts, EMPTY)
    assert kinds(found) == ["failed", "failed"] and "earlier test" in found[1].message


@pytest.mark.parametrize(
    "solution",
    [
        "def sign(x):\n    if x > 0:\n        return 1\n    elif x < 0:\n        return -1\n    else:\n        return 0",
        "def sign(x):\n    if x == 0:\n        return []\n    return sign(x - 1) or [x]",
        "def sign(x):\n    if x >= 0:\n        q = 1\n    else:\n        q = 2\n    return q",
        "def sign(xs):\n    for x in [xs]:\n        if x > 3:\n            return True\n    return False",
        "def sign(x):\n    while True:\n        try:\n            return int(x)\n        except ValueError:\n            return None",
    ],
    ids=["conditions", "recursion", "names in conditions", "a loop", "try"],
)
def test_a_solution_whose_results_depend_on_conditions_is_one(verdicts, solution: str) -> None:
    assert kinds(verdicts([Solution(solution), "assert sign(2) == 77"], "def sign(x):\n    return 'no'")) == ["unjudged"]


@pytest.mark.parametrize("work", ["return 5", "pass_mark = 5", "return None", "x['a'] = 1", "x = []\n    return x"])
def test_what_stands_between_the_marks_of_a_solution_is_one(verdicts, work: str) -> None:
    head = "def f(x):\n    "
    marked = Solution(f"{head}### BEGIN SOLUTION\n    {work}\n    ### END SOLUTION")
    assert kinds(verdicts([marked, "assert f({}) == 77"], f"{head}return 'no'")) == ["unjudged"]
    for nothing in "", "    # what goes here?\n", "    pass\n", "    raise NotImplementedError()\n":
        empty = Solution(f"{head}'''What it does.'''\n    ### BEGIN SOLUTION\n{nothing}    ### END SOLUTION")
        assert kinds(verdicts([empty, "assert f({}) == 77"], f"{head}return 'no'")) == ["failed"]


def test_what_puts_something_into_its_argument_is_no_missing_solution(verdicts) -> None:
    parts = [Solution("def put(d):\n    d['a'] = 1"), "assert put({}) == 77"]
    assert kinds(verdicts(parts, "def put(d):\n    return 5")) == ["unjudged"]


def test_an_empty_solution_above_says_nothing_of_tests_whose_names_are_all_made(verdicts) -> None:
    parts = [Solution("### BEGIN SOLUTION\n### END SOLUTION"), SQUARE, "assert square(2) == 5", "assert cube(2) == 8"]
    assert kinds(verdicts(parts, "x = 1", EMPTY)) == ["unjudged", "failed"]


class Counted:
    """A warm process, and how many kernels were started from it."""

    def __init__(self, warm):
        self._warm, self.started = warm, 0

    def start(self, *about, **more):
        self.started += 1
        return self._warm.start(*about, **more)

    def __getattr__(self, name: str):
        return getattr(self._warm, name)


def test_what_one_process_learns_of_the_solution_others_need_not_find_out(warm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, remembered = build(SQUARE, "assert square(2) == 4"), AboutSolution(ResultStore(tmp_path), "lesson", is_read=True)

    def in_a_new_process(work) -> int:
        for module in (excuses, solution_values):
            monkeypatch.setattr(module, "_results", type(module._results)(module._results.kind))
        counted = Counted(warm)
        work(counted)
        return counted.started

    def grade(counted: Counted) -> None:
        assert kinds(execute(handed_in(source, WRONG), Instructor(source), counted, LIMITS, remembered=remembered).verdicts) == ["failed"]

    def learn(counted: Counted) -> None:
        execution.learn(Instructor(source), counted, LIMITS, remembered)

    assert [in_a_new_process(work) for work in (grade, grade, learn)] == [2, 1, 1]  # what values it gives, nobody has asked before
    assert [in_a_new_process(work) for work in (learn, grade)] == [0, 1]
    for path in tmp_path.glob("*/*"):
        path.write_bytes(b"damaged")
    assert [in_a_new_process(work) for work in (learn, grade)] == [1, 1]
