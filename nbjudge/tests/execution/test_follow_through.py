"""Follow-through: one slip costs its own points, and nobody gets points for the answer that was wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import nbformat
import pytest
from nbformat import NotebookNode
from nbgrader.utils import determine_grade

from helpers.instructors import LIMITS, Given, Solution, build, handed_in, plain
from nbjudge import grade_notebook
from nbjudge._analysis.exercises import Exercises
from nbjudge._analysis.instructor import Instructor, grade_id, is_test
from nbjudge._course.result_cache import is_certain
from nbjudge._execution import execute as executing
from nbjudge._execution.execute import Execution, execute
from nbjudge._execution.follow_through import SecondRun
from nbjudge._serialization.executions import pack_execution, pack_instructor, unpack_execution
from nbjudge._wire.errors import OwnFailure
from nbjudge.testing.notebooks import test_cell

SECRET = "7919"  # stands in the solution of `double`, and nowhere else
DOUBLE = Solution(f"def double(x):\n    return x * 2 + (x - x) * {SECRET}")
QUADRUPLE = Solution("def quadruple(x):\n    return double(double(x))")
OCTUPLE = Solution("def octuple(x):\n    return 2 * quadruple(x)")
TEST_DOUBLE, TEST_QUADRUPLE, TEST_OCTUPLE = (
    f"assert {name}(3) == {times * 3}, '{name}'" for name, times in (("double", 2), ("quadruple", 4), ("octuple", 8))
)
CHAIN = [DOUBLE, TEST_DOUBLE, QUADRUPLE, TEST_QUADRUPLE, OCTUPLE, TEST_OCTUPLE]
WRONG = "def double(x):\n    return x + 1"
STUB = "def double(x):\n    raise NotImplementedError('not written yet')"
Run = Callable[..., Execution]


@pytest.fixture
def graded(warm) -> Run:
    """Executes what a student handed in, with follow-through. Whatever was handed in, nothing of the solution is in what comes back."""

    def run(parts: list, *answers: str, change: Callable[[NotebookNode], None] = lambda _: None, limits=LIMITS, **about) -> Execution:
        source = build(*parts)
        submitted = handed_in(source, *answers)
        change(submitted)
        execution = execute(submitted, Instructor(source, follow_through=True, **about), warm, limits)
        nbformat.validate(execution.notebook)
        shown = {grade_id(cell): determine_grade(cell)[0] for cell in execution.notebook.cells if is_test(cell)}
        assert shown == {verdict.grade_id: verdict.points for verdict in execution.verdicts}, "nbgrader reads other points in the outputs"
        said = execution.conversation.to_bytes() if execution.conversation else b""
        assert SECRET not in repr([execution.verdicts, [cell.get("outputs") for cell in execution.notebook.cells], execution.cut_short, said])
        return execution

    return run


def points(execution: Execution) -> list[float]:
    return [verdict.points for verdict in execution.verdicts]


def test_what_calls_a_failed_exercise_keeps_its_points(graded: Run) -> None:
    execution = graded(CHAIN, WRONG, QUADRUPLE.source, OCTUPLE.source)
    assert points(execution) == [0, 1, 1] and not execution.cut_short
    first, second, third = execution.verdicts
    assert (first.kind, first.message, first.follow_through) == ("failed", "double", None)
    assert (second.kind, second.message, second.clue.by) == ("passed", "", "")
    assert second.printed == (
        "Your `double` did not pass its own test, so this test was judged once more with the solution's `double` in its place: 1 of 1 point.\n\n"
        "With your own, it said:\nquadruple\n"
    )
    assert third.follow_through and (third.follow_through.names, third.follow_through.own_points, third.follow_through.points) == (("double",), 0, 1)


@pytest.mark.parametrize(("switch", "right"), [({"follow_through": True}, [0, 1, 1]), ({}, [0, 0, 0])])
def test_it_has_to_be_switched_on(switch: dict[str, bool], right: list[float]) -> None:
    source = build(*CHAIN)
    execution = grade_notebook(handed_in(source, WRONG, QUADRUPLE.source, OCTUPLE.source), source, limits=LIMITS, **switch)
    assert points(execution) == right
    assert right[1] or [verdict.message for verdict in execution.verdicts] == ["double", "quadruple", "octuple"]


VALUE = Solution("six = double(3)")
HALF = [DOUBLE, TEST_DOUBLE, QUADRUPLE, "(quadruple(3) == 12) / 2 + (quadruple(0) == 0) / 4 + (type(quadruple(1)) is int) / 4"]
TRIPLE, TEST_TRIPLE = Solution("def triple(x):\n    return 3 * x"), "assert triple(2) == 6, 'triple'"
WRONG_TRIPLE = "def triple(x):\n    return 4 * x"
BOTH = Solution("def both(x):\n    return double(x) + triple(x)")
TWO_CAUSES = [DOUBLE, TEST_DOUBLE, TRIPLE, TEST_TRIPLE, BOTH, "assert both(2) == 10, 'both'"]
HELPED = [
    plain("import math as m\ndef two():\n    return m.floor(2.5)"),
    Solution("def base(x):\n    return two() * x"),
    Solution("def double(x):\n    return base(x)"),
    TEST_DOUBLE,
    QUADRUPLE,
    TEST_QUADRUPLE,
]
LINE = """
import torch
class Line(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))
    def forward(self, x):
        return self.weight * x
"""
TRAIN = """
def train():
    torch.manual_seed(0)
    line, x = Line(), torch.arange(1.0, 5.0)
    optimizer = torch.optim.SGD(line.parameters(), lr=0.02)
    for _ in range(200):
        optimizer.zero_grad()
        ((line(x) - 3 * x) ** 2).mean().backward()
        optimizer.step()
    return line
"""
TRAINED = [
    Solution(LINE),
    "import torch\nassert Line()(torch.ones(2)).shape == (2,), 'shape'",
    Solution(TRAIN),
    "import torch\nassert abs(float(train()(torch.ones(1))) - 3) < 0.01, 'train'",
]
BOX = "class Box:\n    def size(self):\n        return 2"
CRATE = "class Crate(Box):\n    def volume(self):\n        return self.size() ** 3"
BOXES = [Solution(BOX), "assert Box().size() == 2", Solution(CRATE), "assert Crate().volume() == 8"]
POINTS = {  # what the instructor wrote, what was handed in, the points
    "not begun": (CHAIN, (STUB, QUADRUPLE.source, OCTUPLE.source), [0, 1, 1]),
    "an empty cell": (CHAIN, ("", QUADRUPLE.source, OCTUPLE.source), [0, 1, 1]),
    "no Python": (CHAIN, ("def double(x)\n    return 2 * x", QUADRUPLE.source, OCTUPLE.source), [0, 1, 1]),
    "ends Python": (CHAIN, ("import os\ndef double(x):\n    os._exit(0)", QUADRUPLE.source, OCTUPLE.source), [0, 1, 1]),
    "another name": (CHAIN, (WRONG, "mine = double\ndef quadruple(x):\n    return mine(double(x))", OCTUPLE.source), [0, 1, 1]),
    "another function": (CHAIN, (f"{WRONG}\ndef mine(x):\n    return double(x)", "def quadruple(x):\n    return mine(mine(x))", ""), [0, 1, 0]),
    "the third is wrong by itself": (CHAIN, (WRONG, QUADRUPLE.source, "def octuple(x):\n    return 3 * quadruple(x)"), [0, 1, 0]),
    "the second is wrong by itself": (CHAIN, (WRONG, "def quadruple(x):\n    return 5 * double(x)", OCTUPLE.source), [0, 0, 1]),
    "makes up for it": (CHAIN, (WRONG, "def quadruple(x):\n    return 4 * (double(x) - 1)", OCTUPLE.source), [0, 1, 1]),
    "only one failed": (TWO_CAUSES, (DOUBLE.source, WRONG_TRIPLE, BOTH.source), [1, 0, 1]),
    "two failed": (TWO_CAUSES, (WRONG, WRONG_TRIPLE, BOTH.source), [0, 0, 1]),
    "a value": ([DOUBLE, TEST_DOUBLE, VALUE, "assert six == 6"], (WRONG, VALUE.source), [0, 1]),
    "a part of the points": (HALF, (WRONG, "def quadruple(x):\n    return double(double(x)) + 0.0"), [0, 0.75]),
    "all points where there was a part": (HALF, (WRONG, "def quadruple(x):\n    return double(double(x)) if x else 0"), [0, 1]),
    "a module without parameters": (TRAINED, (LINE.replace("torch.nn.Parameter(torch.zeros(1))", "torch.ones(1)"), TRAIN), [1, 0]),
    "a module that gives too little": (TRAINED, (LINE.replace("* x", ""), TRAIN), [0, 1]),
    "a class that inherits": (BOXES, (BOX.replace("2", "3"), CRATE), [0, 1]),
    "an untested part is wrong": (HELPED, ("def base(x):\n    return 5", "def double(x):\n    return base(x)", QUADRUPLE.source), [0, 1]),
}


@pytest.mark.slow
@pytest.mark.parametrize(("parts", "answers", "right"), POINTS.values(), ids=POINTS.keys())
def test_each_exercise_gets_what_its_own_work_is_worth(graded: Run, parts: list, answers: tuple[str, ...], right: list[float]) -> None:
    assert points(graded(parts, *answers)) == right


def without_given(submitted: NotebookNode) -> None:
    submitted.cells[0].source = ""


def test_the_solution_finds_what_the_student_has_taken_out(graded: Run) -> None:
    assert points(graded(HELPED, "", WRONG, QUADRUPLE.source, change=without_given)) == [0, 1]


AGAIN = "assert double(5) == 10, 'again'"  # a second test of `double`
USED = [DOUBLE, TEST_DOUBLE, QUADRUPLE, TEST_QUADRUPLE]
BOTH_IN_ONE = Solution("def double(x):\n    return 2 * x\ndef half(x):\n    return double(x) / 4")
SIX = Solution("def double(x):\n    return 2 * x\ndef six(x):\n    return 3 * double(x)")
BOXED = [Solution("def box_of(x):\n    return [x]"), "assert box_of(1) == [1]", Given("box = box_of(1)\ndef put(x):\n    box.append(x)")]
PUT = [Solution(f"{DOUBLE.source}\nput(double(5))"), TEST_DOUBLE, QUADRUPLE, TEST_QUADRUPLE, "assert quadruple(0) == 0 and box == [1, 10]"]
WRITES = Solution("def double(x):\n    return 2 * x\nopen('doubled.txt', 'w').write(str(double(8)));")
WRITES_WRONG = "def double(x):\n    return x + 1\nopen('doubled.txt', 'w').write(str(double(8)));"
# More tests that are about `double`: what the instructor wrote, answers, and the points. The last test may never gain.
ABOUT_IT = {
    "a second test cell": ([*USED, AGAIN], (WRONG, QUADRUPLE.source), [0, 1, 0]),
    "a second test cell at once": ([DOUBLE, TEST_DOUBLE, AGAIN, QUADRUPLE, TEST_QUADRUPLE], (WRONG, QUADRUPLE.source), [0, 0, 1]),
    "with another exercise": ([*USED, "assert quadruple(5) == double(10)"], (WRONG, QUADRUPLE.source), [0, 1, 0]),
    "as a function of the test": ([*USED, "def f(x):\n    return double(x)\nassert quadruple(f(1)) == 8"], (WRONG, QUADRUPLE.source), [0, 1, 0]),
    "in a list": ([*USED, "assert [g(5) for g in (double, quadruple)] == [10, 20]"], (WRONG, QUADRUPLE.source), [0, 1, 0]),
    "a part of the points": ([*USED, "(double(5) == 10) / 2 + (quadruple(5) == 20) / 2"], (WRONG, QUADRUPLE.source), [0, 1, 0]),
    "another name of a given cell": ([*USED, Given("twice = double"), "assert twice(5) == 10"], (WRONG, QUADRUPLE.source), [0, 1, 0]),
    "a value of a given cell": ([*USED, Given("ten = double(5)"), "assert quadruple(0) == ten - 10"], (WRONG, QUADRUPLE.source), [0, 1, 0]),
    "a helper above": (
        [Given("def twice(x):\n    return double(x)"), *USED, "assert quadruple(1) == twice(2) == 4"],
        (WRONG, QUADRUPLE.source),
        [0, 1, 0],
    ),
    "a helper of an earlier test": (
        [DOUBLE, f"{TEST_DOUBLE}\n", "def twice(x):\n    return double(x)", QUADRUPLE, TEST_QUADRUPLE, "assert quadruple(1) == twice(2) == 4"],
        (WRONG, QUADRUPLE.source),
        [0, 1, 1, 0],
    ),
    "changed by a given cell": (
        [*USED, Given("box = []"), Given("box.append(double(5))"), "assert quadruple(0) == 0 and box == [10]"],
        (WRONG, QUADRUPLE.source),
        [0, 1, 0],
    ),
    "handed to a given function": (
        [Given("def put(box, x):\n    box.append(x)\nbox = []"), *USED, Given("put(box, double(5))"), "assert quadruple(0) == 0 and box == [10]"],
        (WRONG, QUADRUPLE.source),
        [0, 1, 0],
    ),
    "by its text": ([*USED, "assert globals()['double'](5) == 10 and quadruple(0) == 0"], (WRONG, QUADRUPLE.source), [0, 1, 0]),
    "evaluated": ([*USED, "assert eval('double(5)') == 10 and quadruple(0) == 0"], (WRONG, QUADRUPLE.source), [0, 1, 0]),
    "two names of one cell": ([BOTH_IN_ONE, "assert double(5) == 10", "assert half(2) == 1"], (WRONG,), [0, 0]),
    "defined again": ([DOUBLE, TEST_DOUBLE, SIX, "assert six(1) == 6", AGAIN], (WRONG, "def six(x):\n    return 3 * double(x)"), [0, 1, 0]),
    "a class of the test that inherits": (
        [*BOXES, "class Own(Box):\n    pass\nassert Crate().volume() + Own().size() == 10"],
        (BOX.replace("2", "3"), CRATE),
        [0, 1, 0],
    ),
    "by the class it inherits from": ([*BOXES, "assert Crate.__mro__[1]().size() == 2"], (BOX.replace("2", "3"), CRATE), [0, 1, 0]),
    "kept by a given function": ([*BOXED, *PUT], (BOXED[0].source, f"{WRONG}\nput(double(5))", QUADRUPLE.source), [1, 0, 1, 0]),
    "kept by a given function that gets all": (
        [*BOXED, Given("def put(box, x):\n    box.append(x)"), Solution(f"{DOUBLE.source}\nput(box, double(5))"), *PUT[1:]],
        (BOXED[0].source, f"{WRONG}\nput(box, double(5))", QUADRUPLE.source),
        [1, 0, 1, 0],
    ),
    "in a file": (
        [WRITES, TEST_DOUBLE, QUADRUPLE, TEST_QUADRUPLE, "assert quadruple(0) == 0\nassert open('doubled.txt').read() == '16'"],
        (WRITES_WRONG, QUADRUPLE.source),
        [0, 1, 0],
    ),
}


@pytest.mark.parametrize(("parts", "answers", "right"), ABOUT_IT.values(), ids=ABOUT_IT.keys())
def test_no_test_that_may_be_about_the_failed_exercise_gains(graded: Run, parts: list, answers: tuple[str, ...], right: list[float]) -> None:
    solutions = [part.source for part in parts if isinstance(part, Solution)]
    assert all(verdict.points == verdict.max_points for verdict in graded(parts, *solutions[:-1], f"{solutions[-1]}\n").verdicts)
    assert points(graded(parts, *answers)) == right


READS = "f'{double.__code__.co_consts} {__import__(\"inspect\").getsource(double)}'"  # the solution's text, in the second run
SNOOPS = f"""
def seen(about):
    print(about.raw_cell)
    open('seen.txt', 'a').write(about.raw_cell)
get_ipython().events.register('pre_run_cell', seen)
{WRONG}
"""
WAITS = f"""
import threading, time
{WRONG}
def wait(first=double):
    for _ in range(1000):
        if double is not first:
            break
        time.sleep(0.01)
    print(double(3), double.__code__.co_consts)
    raise ValueError(str(double.__code__.co_consts))
threading.Thread(target=wait, daemon=True).start()
"""
MARK = """
import os, tempfile
marks = [os.path.join(folder, "ran") for folder in (".", tempfile.gettempdir(), os.path.expanduser("~"), "/dev/shm", "/var/tmp")]
is_second = any(map(os.path.exists, marks))
for mark in marks:
    try:
        open(mark, "w").close()
    except OSError:
        pass
"""
CHEATS = {  # answers, and the points of the tests of `double`, of `quadruple`, and of `double` again
    "prints it": ((WRONG, f"print({READS})\ndef quadruple(x):\n    print({READS})\n    return double(double(x))"), [0, 1, 0]),
    "raises it": ((WRONG, f"def quadruple(x):\n    raise ValueError({READS})"), [0, 0, 0]),
    "raises it in its cell": ((WRONG, f"{QUADRUPLE.source}\nraise ValueError({READS})"), [0, 1, 0]),
    "returns it": ((WRONG, f"def quadruple(x):\n    return {READS}"), [0, 0, 0]),
    "returns its numbers": ((WRONG, "def quadruple(x):\n    return max(double.__code__.co_consts[1:])"), [0, 0, 0]),
    "says it in a name": ((WRONG, f"class quadruple:\n    def __new__(cls, x):\n        return type({READS}, (), {{}})()"), [0, 0, 0]),
    "raises an exception of that name": ((WRONG, f"def quadruple(x):\n    raise type({READS}, (Exception,), {{}})"), [0, 0, 0]),
    "draws it": ((WRONG, f"import matplotlib.pyplot as plt\nplt.title({READS})\nplt.plot([1])\n{QUADRUPLE.source}"), [0, 1, 0]),
    "writes it": ((WRONG, f"open('seen.txt', 'w').write({READS})\n{QUADRUPLE.source}"), [0, 1, 0]),
    "listens to the kernel": ((SNOOPS, f"{QUADRUPLE.source}\nprint(open('seen.txt').read())"), [0, 1, 0]),
    "waits for it": ((WAITS, QUADRUPLE.source), [0, 1, 0]),
    "keeps the kernel from it": (("import os\ndef double(x):\n    os._exit(1)", f"print({READS})\n{QUADRUPLE.source}"), [0, 1, 0]),
    "ends when it has it": ((WRONG, f"import os\nif max(double.__code__.co_consts[1:]) > 1:\n    os._exit(1)\n{QUADRUPLE.source}"), [0, 0, 0]),
    "is right in a second kernel": ((f"{MARK}\n{WRONG}", "def quadruple(x):\n    double\n    return 4 * x if is_second else 0"), [0, 0, 0]),
    "takes it for its own": ((WRONG, f"double = double\n{QUADRUPLE.source}"), [0, 1, 0]),
    "keeps it for later": ((WRONG, f"{QUADRUPLE.source}\ntype(double).__call__\n_kept = double\ndef double(x):\n    return _kept(x)"), [0, 1, 0]),
    "imports another one": ((WRONG, f"from math import floor as double\n{QUADRUPLE.source}"), [0, 0, 0]),
    "has names of tests": ((f"{WRONG}\nt1 = t2 = t3 = double", f"{QUADRUPLE.source}\nt1 = t2 = t3 = double"), [0, 1, 0]),
}
LEAKY = "assert quadruple(3) == 12, f'quadruple gives {quadruple(3)}'\nprint(quadruple(3))"


@pytest.mark.parametrize(("answers", "right"), CHEATS.values(), ids=CHEATS.keys())
def test_whoever_reads_the_solution_gets_nothing_out_of_it(graded: Run, answers: tuple[str, ...], right: list[float]) -> None:
    """`graded` looks for it in everything that comes back."""
    assert points(graded([DOUBLE, TEST_DOUBLE, QUADRUPLE, LEAKY, AGAIN], *answers)) == right


COUNTS = "def triple(x):\n    return 3 * x if len(In) > {number} else 0"  # right where one cell more has run
CHANCE = [*USED, TRIPLE, TEST_TRIPLE]


def counting(warm) -> str:
    """An answer to `triple` that is wrong in the first run and right in the second one, and that calls nothing of `double`."""
    source = build(*CHANCE)
    asked = handed_in(source, WRONG, QUADRUPLE.source, "def triple(x):\n    raise ValueError(f'{len(In)} cells')")
    said = execute(asked, Instructor(source), warm, LIMITS).verdicts[2].message
    return COUNTS.format(number=said.split()[-2])


def test_what_does_not_call_the_failed_exercise_has_no_second_try(graded: Run, warm, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = WRONG, QUADRUPLE.source, counting(warm)
    assert points(graded(CHANCE, *answers)) == [0, 1, 0]
    monkeypatch.setattr(SecondRun, "_uses", lambda self, test, cells: frozenset({"double"}) if cells else frozenset())
    assert points(graded(CHANCE, *answers)) == [0, 1, 1], "the case shows nothing"


PARTS = {
    "names": lambda all, test, cells: all.tests[test].names & all.names_of(cells),
    "cells": lambda all, test, cells: all.tests[test].cells & cells,
    "files": lambda all, test, cells: all.tests[test].has_files and any(all.solutions[number].has_files for number in cells),
    "doubt": lambda all, test, cells: all.tests[test].is_doubtful,
}
ONLY = {"names": "defined again", "cells": "a value of a given cell", "files": "in a file", "doubt": "by the class it inherits from"}


@pytest.mark.parametrize(("part", "case"), ONLY.items())
def test_each_reason_why_a_test_does_not_gain_is_needed(graded: Run, monkeypatch: pytest.MonkeyPatch, part: str, case: str) -> None:
    parts, answers, right = ABOUT_IT[case]
    left = [reason for name, reason in PARTS.items() if name != part]
    monkeypatch.setattr(Exercises, "may_be_about", lambda self, test, cells: any(reason(self, test, cells) for reason in left))
    assert points(graded(parts, *answers)) == [*right[:-1], 1]


@pytest.mark.parametrize("cheat", ["raises it", "returns it", "returns its numbers"])
def test_a_verdict_of_the_second_run_would_tell(graded: Run, monkeypatch: pytest.MonkeyPatch, cheat: str) -> None:
    monkeypatch.setattr(SecondRun, "_settled", lambda self, first: self._judged[first.grade_id].verdict)
    with pytest.raises(AssertionError, match=SECRET):
        graded([DOUBLE, TEST_DOUBLE, QUADRUPLE, LEAKY], *CHEATS[cheat][0])


def moved(submitted: NotebookNode) -> None:
    submitted.cells.append(submitted.cells.pop(0))


def deleted(submitted: NotebookNode) -> None:
    del submitted.cells[0]


def without_tests(submitted: NotebookNode) -> None:
    submitted.cells = [cell for cell in submitted.cells if not is_test(cell)]


def from_tests_on(submitted: NotebookNode) -> None:
    submitted.cells.sort(key=lambda cell: not is_test(cell))


def all_in_one(submitted: NotebookNode) -> None:
    submitted.cells[0].source = "\n".join(cell.source for cell in submitted.cells if not is_test(cell))


def own_tests(submitted: NotebookNode) -> None:
    submitted.cells[2].metadata["nbgrader"] |= {"grade_id": "t1", "grade": True, "solution": False, "points": 100}
    submitted.cells.insert(0, test_cell("t9", "1 + 1", 50))


@pytest.mark.parametrize("change", [moved, deleted, without_tests, all_in_one, own_tests, from_tests_on])
def test_cells_that_are_moved_or_missing_win_nothing_more(graded: Run, change: Callable[[NotebookNode], None]) -> None:
    right = [0, 0, 0] if change is from_tests_on else [0, 1, 1]
    assert points(graded(CHAIN, WRONG, QUADRUPLE.source, OCTUPLE.source, change=change)) == right


def second_run(monkeypatch: pytest.MonkeyPatch, happens: Callable[[Execution], Execution]) -> list[bool]:
    """Lets something happen to the result of each second run; the list has an entry for each run, whether it was a second one."""
    once, runs = executing._once, []

    def run(*about, **named) -> Execution:
        is_second = len(about) > 6 and about[6] is not None
        runs.append(is_second)
        result = once(*about, **named)
        return happens(result) if is_second else result

    monkeypatch.setattr(executing, "_once", run)
    return runs


def fails(result: Execution) -> Execution:
    raise OwnFailure(f"the kernel is gone ({SECRET})")


def breaks(result: Execution) -> Execution:
    raise RuntimeError(SECRET)


@pytest.mark.parametrize("happens", [fails, breaks])
def test_a_failure_of_the_grader_in_the_second_run_costs_nobody_anything(graded: Run, monkeypatch: pytest.MonkeyPatch, happens) -> None:
    runs = second_run(monkeypatch, happens)
    execution = graded(CHAIN, WRONG, QUADRUPLE.source, OCTUPLE.source)
    assert (points(execution), runs) == ([0, 0, 0], [False, True])
    assert "the grader failed on it" in execution.cut_short and not is_certain(execution)


def test_without_time_for_a_second_run_the_first_one_stands(graded: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    once = executing._once
    monkeypatch.setattr(executing, "_once", lambda *about: replace(once(*about), seconds=LIMITS.submission_seconds))
    execution = graded(CHAIN, WRONG, QUADRUPLE.source, OCTUPLE.source)
    assert points(execution) == [0, 0, 0] and "took all of the notebook's time" in execution.cut_short


def test_what_runs_out_of_time_in_the_second_run_alone_is_told(graded: Run) -> None:
    slow = "def quadruple(x):\n    while double(3) == 6:\n        pass\n    return double(double(x))"
    execution = graded(CHAIN, WRONG, slow, OCTUPLE.source, limits=replace(LIMITS, test_seconds=1))
    assert points(execution) == [0, 0, 1] and execution.verdicts[1].message == "quadruple"
    assert "`t2`" in execution.cut_short and not is_certain(execution)


@pytest.mark.parametrize("again", [True, False])
def test_a_second_run_that_the_machine_hindered_is_run_again(warm, monkeypatch: pytest.MonkeyPatch, again: bool) -> None:
    hindered = iter([True, False])
    runs = second_run(monkeypatch, lambda result: replace(result, hindered=next(hindered)))
    source = build(*CHAIN)
    submitted = handed_in(source, WRONG, QUADRUPLE.source, OCTUPLE.source)
    execution = execute(submitted, Instructor(source, follow_through=True), warm, LIMITS, again=again)
    assert execution.hindered is not again
    assert (points(execution) == [0, 1, 1], runs.count(True)) == ((True, 2) if again else (False, 1))


@pytest.mark.parametrize(
    ("answers", "count"),
    [
        ((DOUBLE.source, QUADRUPLE.source, OCTUPLE.source), 0),
        ((DOUBLE.source, QUADRUPLE.source, "def octuple(x):\n    return quadruple(x)"), 0),
        ((STUB, STUB.replace("double", "quadruple"), STUB.replace("double", "octuple")), 0),
        ((WRONG, QUADRUPLE.source, OCTUPLE.source), 1),
        ((WRONG, "def quadruple(x):\n    return 4 * double(x) - 4 * (double(x) - x)", OCTUPLE.source), 0),
    ],
    ids=["all right", "the last one wrong", "nothing begun", "a consequence", "no consequence"],
)
def test_it_is_run_once_more_only_where_that_may_change_something(graded: Run, monkeypatch, answers: tuple[str, ...], count: int) -> None:
    runs = second_run(monkeypatch, lambda result: result)
    graded(CHAIN, *answers)
    assert runs.count(True) == count


def test_judged_again_by_what_was_said_points_are_the_same(warm) -> None:
    source = build(*CHAIN)
    submitted, instructor = handed_in(source, WRONG, QUADRUPLE.source, OCTUPLE.source), Instructor(source, follow_through=True)
    first = execute(submitted, instructor, warm, LIMITS)
    again = execute(submitted, instructor, warm, LIMITS, before=first.conversation)
    assert again.conversation is None and points(again) == points(first) == [0, 1, 1]


def test_what_came_of_it_travels(graded: Run) -> None:
    execution = graded(CHAIN, WRONG, QUADRUPLE.source, OCTUPLE.source)
    for cut_short in ("", "why"):
        there = unpack_execution(pack_execution(replace(execution, cut_short=cut_short)))
        assert (there.verdicts, there.cut_short) == (execution.verdicts, cut_short)
    instructor = Instructor(build(*CHAIN), follow_through=True)
    assert pack_instructor(instructor) != pack_instructor(replace(instructor, follow_through=False))


QUINTUPLE = "def quadruple(x):\n    return 5 * double(x)"


@pytest.mark.parametrize(
    "tests, answers, kinds",
    [
        ((TEST_DOUBLE, "assert quadruple(3) ==", TEST_OCTUPLE), (WRONG, QUADRUPLE.source), ["failed", "unjudged", "passed"]),
        ((TEST_DOUBLE, "assert quadruple(3) == 13", TEST_OCTUPLE), (WRONG, QUADRUPLE.source), ["failed", "unjudged", "passed"]),
        ((TEST_DOUBLE, "assert quadruple(3) == 13", TEST_OCTUPLE), (WRONG, QUINTUPLE), ["failed", "unjudged", "failed"]),
        (("assert double(3) ==", TEST_QUADRUPLE, TEST_OCTUPLE), (WRONG, QUADRUPLE.source), ["unjudged", "failed", "passed"]),
        (("assert double(3) == 7", TEST_QUADRUPLE, TEST_OCTUPLE), (DOUBLE.source.replace(SECRET, "1"), QUINTUPLE), ["unjudged", "failed", "passed"]),
    ],
)
def test_beside_a_test_that_cannot_judge_it_holds_and_replaces_nothing_of_that(
    graded: Run, tests: tuple[str, ...], answers: tuple[str, ...], kinds: list[str]
) -> None:
    """Nobody knows whether an exercise is wrong whose test cannot judge: it stays the student's own, also for what comes after it."""
    parts = [part for pair in zip((DOUBLE, QUADRUPLE, OCTUPLE), tests) for part in pair]
    assert [verdict.kind for verdict in graded(parts, *answers, OCTUPLE.source).verdicts] == kinds


def test_a_lesson_without_solutions_has_no_follow_through(graded: Run) -> None:
    answers = WRONG, QUADRUPLE.source, OCTUPLE.source
    assert points(graded(CHAIN, *answers, complete=False)) == [0, 0, 0]
    assert points(graded([Solution("def double(x):\n    raise NotImplementedError()"), *CHAIN[1:]], *answers)) == [0, 0, 0]
