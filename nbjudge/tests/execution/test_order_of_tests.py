"""Test cells are judged in the instructor's order, whatever a submission does with them: what comes later is not there yet."""

from __future__ import annotations

import copy

import pytest
from nbformat import NotebookNode

from helpers.instructors import LIMITS, SQUARE, Given, Solution, build
from nbjudge._analysis.instructor import Instructor, grade_id
from nbjudge._execution.execute import execute, is_test

PARTS = [
    SQUARE,
    Given("x, wanted = 2, 4"),
    "assert square(x) == wanted",
    Given("x, wanted = 0, 0"),
    "assert square(x) == wanted",
    "if 'wanted' in globals():\n    del wanted\nassert square(5) == 25",
]
ALWAYS_0 = "def square(x):\n    return 0"


def graded_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if is_test(cell)]


def swapped(notebook: NotebookNode) -> None:
    first, second, _ = graded_cells(notebook)
    one, other = notebook.cells.index(first), notebook.cells.index(second)
    notebook.cells[one], notebook.cells[other] = second, first


def first_at_the_end(notebook: NotebookNode) -> None:
    notebook.cells.append(notebook.cells.pop(notebook.cells.index(graded_cells(notebook)[0])))


def first_removed(notebook: NotebookNode) -> None:
    notebook.cells.remove(graded_cells(notebook)[0])


def first_is_text(notebook: NotebookNode) -> None:
    graded_cells(notebook)[0].cell_type = "markdown"


def reversed_order(notebook: NotebookNode) -> None:
    notebook.cells[1:] = reversed(notebook.cells[1:])


def all_removed(notebook: NotebookNode) -> None:
    notebook.cells = [cell for cell in notebook.cells if not is_test(cell)]


def twice(notebook: NotebookNode) -> None:
    notebook.cells += [copy.deepcopy(cell) for cell in graded_cells(notebook)]


CHANGES = (swapped, first_at_the_end, first_removed, first_is_text, reversed_order, all_removed, twice)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(("answer", "points"), [(SQUARE.source, [1, 1, 1]), (ALWAYS_0, [0, 1, 0])], ids=["right", "wrong"])
def test_the_order_is_the_instructors(warm, change, answer: str, points: list[int]) -> None:
    source = build(*PARTS)
    submitted = copy.deepcopy(source)
    submitted.cells[0].source = answer
    change(submitted)
    result = execute(submitted, Instructor(source), warm, LIMITS)
    assert [verdict.points for verdict in result.verdicts] == points, result.verdicts
    graded = [grade_id(cell) for cell in result.notebook.cells if is_test(cell)]
    assert sorted(graded) == ["t1", "t2", "t3"]


STRANGE = ([], ["t1"], {"t1": 1}, 5, None, "", True)


@pytest.mark.parametrize("name", STRANGE, ids=repr)
def test_a_name_that_is_none_is_no_tests(warm, name: object) -> None:
    source = build(*PARTS)
    submitted = copy.deepcopy(source)
    for cell in graded_cells(submitted)[:2]:
        cell.metadata.nbgrader["grade_id"] = name
    submitted.cells[1].metadata.nbgrader["grade_id"] = name
    result = execute(submitted, Instructor(source), warm, LIMITS)
    assert [verdict.points for verdict in result.verdicts] == [1, 1, 1]
    assert sorted(grade_id(cell) for cell in result.notebook.cells if is_test(cell)) == ["t1", "t2", "t3"]


def test_what_a_notebook_puts_into_a_package_is_gone_for_the_next_one(verdicts) -> None:
    given = Given("import numpy as np\nimport math\nmath.thrice = 3 * math.tau")
    breaks = [given, SQUARE, "np.linalg.solve = None\nsetattr(np.linalg, 'inv', None)\nassert math.thrice and square(2) == 4"]
    for _ in range(2):
        assert [verdict.kind for verdict in verdicts(breaks)] == ["passed"]
    whole = "import numpy as np, math\nassert np.linalg.solve and np.linalg.inv and not hasattr(math, 'thrice') and square(2) == 4"
    assert [verdict.kind for verdict in verdicts([SQUARE, whole])] == ["passed"]


def test_what_a_test_takes_away_a_student_cannot_use(verdicts) -> None:
    solution = Solution("import numpy as np\ndef half(x):\n    return x / 2")
    short = "import numpy as np\ndef half(x):\n    return float(np.linalg.inv([[2.0]])[0, 0]) * x"
    parts = [solution, "import numpy as np\nnp.linalg.inv = None\nassert half(4) == 2", "assert half(6) == 3"]
    assert [verdict.kind for verdict in verdicts(parts, solution.source)] == ["passed", "passed"]
    assert [verdict.kind for verdict in verdicts(parts, short)] == ["failed", "failed"]


def test_a_given_function_may_have_names_of_a_function_around_it(verdicts) -> None:
    counter = Given("def counter():\n    n = 0\n    def up():\n        nonlocal n\n        n += 1\n        return n\n    return up\ncounter()()")
    [verdict] = verdicts([counter, SQUARE, "up = counter()\nassert (up(), up(), square(2)) == (1, 2, 4)"], SQUARE.source)
    assert verdict.kind == "passed"


@pytest.mark.parametrize(
    ("module", "made", "drawn"),
    [
        ("import numpy as np", "np.random.default_rng({})", "integers(0, 100)"),
        ("import random", "random.Random({})", "randint(0, 100)"),
        ("import numpy as np", "np.random.RandomState({})", "randint(0, 100)"),
    ],
)
def test_a_generator_that_a_test_puts_in_the_place_of_another_is_drawn_from(verdicts, module: str, made: str, drawn: str) -> None:
    parts = [
        Given(f"{module}\nrng = {made.format(1)}"),
        Solution(f"def draw():\n    return rng.{drawn}"),
        f"rng, own = {made.format(7)}, {made.format(7)}\nassert [draw() for _ in range(9)] == [own.{drawn} for _ in range(9)]",
    ]
    assert [verdict.kind for verdict in verdicts(parts, parts[1].source)] == ["passed"]
    assert [verdict.kind for verdict in verdicts(parts, f"other = {made.format(1)}\ndef draw():\n    return other.{drawn}")] == ["failed"]


VALUES = """import numpy as np
settings = {"steps": {"rate": 1.0}}
numbers, table, array = [3, 1], [[1], [2]], np.zeros(2)
def same(x):
    return x
"""
GIVEN = Given("import heapq\ndef fill(one):\n    one['filled'] = 1")


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        ("settings['steps']['rate'] = 5", "settings['steps']['rate'] == 5"),
        ("inner = settings['steps']\ninner['rate'] = 5", "settings == {'steps': {'rate': 5}}"),
        ("for row in table:\n    row.append(0)", "table == [[1, 0], [2, 0]]"),
        ("numbers.sort()\nnumbers.append(9)", "numbers == [1, 3, 9]"),
        ("heapq.heappush(numbers, 0)", "0 in numbers"),
        ("fill(settings)", "settings['filled'] == 1"),
        ("array[:] = 7", "array.tolist() == [7, 7]"),
        ("same(settings)['more'] = 1", "settings['more'] == 1"),
        ("settings['more'] = 1\nraise RuntimeError", "settings['more'] == 1"),
    ],
)
def test_what_a_test_changes_in_place_is_changed_for_the_cells_below(verdicts, change: str, seen: str) -> None:
    tests = [f"{change}\nassert same(1) == 1", f"assert {seen}", Solution("def late():\n    return numbers"), f"assert {seen} and late() == numbers"]
    kinds = [verdict.kind for verdict in verdicts([GIVEN, Solution(VALUES), *tests], VALUES, "def late():\n    return numbers")]
    assert kinds[1:] == ["passed", "passed"], kinds


TABLE = "def table():\n    return pd.DataFrame({'a': [1, 2], 'b': ['x', 'y']})"
BOX = "class Box:\n    def __init__(self):\n        self.held = 0\n    def hold(self, k):\n        self.held = k\ndef made():\n    return Box()"


@pytest.mark.parametrize(
    ("makes", "made", "change", "seen"),
    [
        (TABLE, "table()", "made['c'] = 3", "'c' in made.columns and made.c[0] == 3"),
        (TABLE, "table()", "made.index = made.b", "made.index[0] == 'x'"),
        (TABLE, "table()", "made.drop(columns='a', inplace=True)", "list(made.columns) == ['b']"),
        (TABLE, "table()", "for name in 'pq':\n    made[name] = 1", "{'p', 'q'} <= {*made.columns}"),
        (TABLE, "table()", "def more(table):\n    table['z'] = 1\nmore(made)", "'z' in made"),
        (TABLE, "table()", "made = made.assign(z=1)", "'z' in made"),
        ("def ones():\n    return [1]", "ones()", "made.append(2)", "made == [1, 2]"),
        ("def ones():\n    return [1]", "ones()", "made += [2]", "made == [1, 2]"),
        ("def put(d):\n    d['k'] = 1", "{}", "put(made)", "made == {'k': 1}"),
        (BOX, "made()", "made.hold(3)", "made.held == 3"),
    ],
)
def test_what_a_solution_changes_in_place_is_changed_for_the_tests_below(verdicts, makes: str, made: str, change: str, seen: str) -> None:
    """A test makes it, of the student's work or not; set-up cells change what is made of the student's work, too."""
    parts = [Given("import pandas as pd"), Solution(makes), f"made = {made}\nassert made is not None", Solution(change), f"assert {seen}"]
    assert [verdict.kind for verdict in verdicts(parts)] == ["passed", "passed"]
    assert [verdict.kind for verdict in verdicts(parts, makes, "pass")] == ["passed", "failed"]
    if "put" not in makes:
        parts[3] = Given(change)
        assert [verdict.kind for verdict in verdicts(parts)] == ["passed", "passed"]
        assert [verdict.kind for verdict in verdicts(parts, "def table(): pass\ndef ones(): pass\ndef made(): pass")] == ["failed", "failed"]


@pytest.mark.parametrize(
    ("imports", "body"),
    [("import numpy as np", "np.sqrt(x)"), ("from math import sqrt", "sqrt(x)"), ("import os.path", "len(os.path.join('a' * int(x), ''))")],
)
def test_what_only_a_test_imports_is_there_for_the_students_functions_from_then_on(verdicts, imports: str, body: str) -> None:
    wanted = "f(4) == 2" if "sqrt" in body else "f(4) == 5"
    parts = [Solution(f"def f(x):\n    return {body}"), f"{imports}\nassert {wanted}", f"assert {wanted}"]
    assert [verdict.kind for verdict in verdicts(parts)] == ["passed", "passed"]
    assert [verdict.kind for verdict in verdicts(parts, "def f(x):\n    return x")] == ["failed", "failed"]
    before = [parts[0], f"assert {wanted}", parts[1]]
    assert [verdict.kind for verdict in verdicts(before, parts[0].source + "\n")] == ["unjudged", "passed"]
