"""`nbjudge check` names tests that pass on nothing, says why, and is silent about tests that do not."""

from __future__ import annotations

import ast
import re

import pytest

from helpers.instructors import LIMITS, Given, Solution, build
from nbjudge._analysis.flow import Flow
from nbjudge._analysis.handed_over import handed_over
from nbjudge._analysis.instructor import Instructor
from nbjudge._analysis.weak_tests import certainly
from nbjudge._execution.check import check_notebook
from nbjudge._proxies.callbacks import has_effects
from nbjudge.testing.notebooks import code, notebook, test_cell

SOLUTION = Solution("""
import numpy as np

def doubled(xs):
    return [2 * x for x in xs]

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

def distance(x):
    return abs(x - 1.0)

def counts(words):
    return {word: words.count(word) for word in words}

def root(x):
    if x < 0:
        raise ValueError("a root of a negative number")
    return x ** 0.5

def encode(text):
    return text[::-1]

def decode(text):
    return text[::-1]

def find(x, xs):
    return xs.index(x) if x in xs else None

def is_even(n):
    return n % 2 == 0

def order(xs):
    xs.sort()

def hello():
    print("hello")

result, total = 0, []

def compute():
    global result
    result = 42

def keep(xs):
    global total
    total = xs

def pair(x):
    return np.ones(x), np.zeros(x)

class Box:
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side ** 2

    def sides(self):
        return [self.side] * 4
""")
EXPECTED = "x = np.arange(6.0).reshape(2, 3)\nright = np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)\n"
NUMPY = "import numpy as np\n"
ZIP = "for got, want in zip(doubled([1, 2]), [2, 4]):\n    assert got == want"

# Each weak test, with what is said of it.
WEAK = {
    ZIP: r"`doubled` returns \[\], an empty array .*`zip` stops where the shorter side ends",
    "for i, x in enumerate(doubled([1, 2])):\n    assert x == 2 * (i + 1)": r"returns \[\].*a loop",
    "assert all(x % 2 == 0 for x in doubled([1, 2]))": r"\[\].*`all\(...\)` passes when nothing is in it",
    "assert all(map(lambda a, b: a == b, doubled([1, 2]), [2, 4]))": "`map` stops",
    "assert not any(x % 2 for x in doubled([1, 2]))": "`not any",
    "assert sum(abs(a - b) for a, b in zip(doubled([1, 2]), [2, 4])) < 1e-9": "line 1: `sum` of nothing is 0",
    "assert max((abs(a - b) for a, b in zip(doubled([1]), [2])), default=0) == 0": "`max` with a default",
    "for word, n in counts(['a', 'b', 'a']).items():\n    assert ['a', 'b', 'a'].count(word) == n": "`counts` returns something empty",
    "for letter in encode('ab'):\n    assert letter in 'ab'": "`encode` returns",
    f"{NUMPY}assert (softmax(np.ones((2, 3))) == 1 / 3).all()": "an empty array: line 2: `all` of an empty array is True",
    f"{NUMPY}assert np.allclose(softmax(np.arange(6.0).reshape(2, 3)).sum(axis=-1), 1)": "`allclose` of an empty array and a number",
    f"{NUMPY}for part in pair(3):\n    assert (part >= 0).all()": "`pair` returns",
    f"{NUMPY}{EXPECTED}assert not np.abs(softmax(x) - right).max() > 1e-9": "`softmax` returns nan: .*says no to nan",
    "assert not abs(distance(3.0) - 2) > 1e-9": "nan: line 1:.*turn it around",
    "error = abs(distance(3.0) - 2)\nif error > 1e-9:\n    raise AssertionError('wrong')": "nan: line 2:.*turn it around",
    "ok = True\nif abs(distance(3.0) - 2) > 1e-9:\n    ok = False\nassert ok": "nan: line 2",
    f"{NUMPY}{EXPECTED}assert not np.any(np.abs(softmax(x) - right) > 1e-9)": "nan: line 4",
    f"{NUMPY}{EXPECTED}assert not (softmax(x) > right + 1e-9).any() and not (softmax(x) < right - 1e-9).any()": "nan",
    "assert max(0.0, abs(distance(3.0) - 2)) < 1e-9": "Python's `max` passes over nan",
    f"{NUMPY}{EXPECTED}assert np.nansum(np.abs(softmax(x) - right)) < 1e-9": "`nansum` leaves nan out",
    "assert distance(2.0) == distance(2.0)": "a value is compared with itself",
    "first = distance(2.0)\nsecond = distance(2.0)\nassert first == second": "both sides are the student's|itself",
    "assert encode('abc') == decode('abc')": "both sides are the student's",
    "assert decode(encode('abc')) == 'abc'": "returns? its first argument",
    "doubled([1])\nprint(doubled([1]))": "returns None.*the cell compares nothing",
    "assert doubled([1]) is not None": "the cell compares nothing",
    "assert isinstance(doubled([1]), list)": "the cell compares nothing",
    f"{NUMPY}assert softmax(np.ones((2, 3))).shape == (2, 3)": "nan in the right shape.*only the length or the shape",
    "assert doubled([1])": "only whether the value is there",
    "doubled([1]) == [2]": r"`doubled\(\[1\]\) == \[2\]` compares, and nothing looks at the result",
    "assert (doubled([1]) == [2], 'wrong')": "an `assert` of a tuple always holds",
    "assert doubled([1]) == [2] or 'wrong'": "write a comma before a message",
    "assert (x == 2 for x in doubled([1]))": "a generator, which is never run",
    "assert True": "as students get it: the cell compares nothing",
    "assert 1 + 1 == 2": "as students get it: let it use",
    "try:\n    assert doubled([1]) == [2]\nexcept AssertionError:\n    print('wrong')": "what this `except` catches is lost",
    "import contextlib\nwith contextlib.suppress(AssertionError):\n    assert doubled([1]) == [2]": "`suppress`",
    "try:\n    root(-1)\nexcept ValueError:\n    pass": "`root` returns None",
    "def test_doubled():\n    assert doubled([1]) == [2]": "nothing calls `test_doubled`",
    "assert is_even": "the cell compares nothing|`is_even` itself is not called",
    "xs = [3, 1]\norder(xs)\nassert len(xs) == 2": "`order` returns None",
    "assert isinstance(Box(3).area(), int)": "`Box.area` returns",
    "assert not is_even(3)": "`is_even` returns None",
    "result = 42\ncompute()\nassert distance(43.0) == result": "`result` is a name that the solution's functions use",
    # In the midst of strong ones: what passes at this one place.
    f"assert doubled([5]) == [10]\n{ZIP}": r"`doubled\(\[1, 2\]\)` gives something empty of the right kind: line 2: `zip`",
    f"assert doubled([5]) == [10] and len(doubled([7])) == 1\nout = doubled([1, 2])\nassert out[0] == 2\n{ZIP.replace('doubled([1, 2])', 'out')}": (
        r"`doubled\(\[1, 2\]\)` gives everything but its last item: line 4"
    ),
    f"{NUMPY}assert softmax(np.zeros(1)).tolist() == [1.0]\nx = np.array([1000.0, 1.0])\nassert not abs(softmax(x)[0] - 1) > 1e-9": (
        r"`softmax\(x\)` gives nan in the right shape: line 4"
    ),
    "assert doubled([5]) == [10]\ntry:\n    assert doubled([2]) == [4]\nexcept Exception:\n    pass": r"`doubled\(\[2\]\)` gives None: line 2",
    "def compare(got, want):\n    for a, b in zip(got, want):\n        assert a == b\ncompare(doubled([1]), [2])": "`zip`",
}
STRONG = (
    "assert doubled([1, 2]) == [2, 4]",
    f"got = doubled([1, 2])\nassert len(got) == 2\n{ZIP.replace('doubled([1, 2])', 'got')}",
    ZIP.replace("[2, 4])", "[2, 4], strict=True)"),
    f"{NUMPY}got = softmax(np.ones((2, 3)))\nassert got.shape == (2, 3)\nassert np.allclose(got, 1 / 3)",
    "assert abs(distance(3.0) - 2) <= 1e-9",
    f"{NUMPY}{EXPECTED}assert np.array_equal(softmax(x).round(9), right.round(9))",
    "try:\n    root(-1)\nexcept ValueError:\n    pass\nelse:\n    raise AssertionError('no error')",
    "raised = False\ntry:\n    root(-1)\nexcept ValueError:\n    raised = True\nassert raised",
    "import pytest\nwith pytest.raises(ValueError):\n    root(-1)",
    "assert find(3, [1, 2]) is None",
    "assert doubled([]) == []",
    "assert is_even(3) is False",
    "assert is_even(2) is True and is_even(3) is False",
    "import io, contextlib\nout = io.StringIO()\nwith contextlib.redirect_stdout(out):\n    hello()\nassert out.getvalue() == 'hello\\n'",
    "xs = [3, 1]\norder(xs)\nassert xs == [1, 3]",
    "assert Box(3).area() == 9 and Box(2).sides() == [2, 2, 2, 2]",
    "points = 0\ntry:\n    assert doubled([1]) == [2]\n    points += 1\nexcept AssertionError:\n    pass\npoints",
    "keep([1])\nassert total == [1]",
    f"{NUMPY}{EXPECTED}got = softmax(x)\nassert got.shape == x.shape\nassert np.allclose(got.sum(axis=-1), 1)\nassert np.allclose(got, right)",
    f"{NUMPY}got = softmax(np.array([1.0, 1.0]))\nassert np.isfinite(got).all() and got.shape == (2,)\nassert not abs(got[1] - 0.5) > 1e-9",
    "for n in range(5):\n    assert is_even(n) is (n % 2 == 0)",
    "import unittest\nunittest.TestCase().assertEqual(doubled([1]), [2])",
    f"{NUMPY}np.testing.assert_allclose(softmax(np.zeros(2)), [0.5, 0.5])",
    "def test_doubled():\n    assert doubled([1]) == [2]\ntest_doubled()",
    "assert doubled([1]) == [2]\nassert doubled([3]) == doubled([3])",
    "assert doubled([1]) == [2] and isinstance(doubled([3]), list) and all(isinstance(x, int) for x in doubled([5]))",
    "assert encode('ab') == 'ba'\nassert decode(encode('abc')) == 'abc'",
    "expected = 42\ncompute()\nassert distance(43.0) == expected",
)


@pytest.mark.slow
def test_each_weak_form_is_named_and_no_strong_one(warm) -> None:
    for tests, is_weak in ((list(WEAK), True), (list(STRONG), False)):
        for finding, test in zip(check_notebook(Instructor(build(SOLUTION, *tests)), warm, LIMITS), tests, strict=True):
            assert finding.is_full, f"{test}: {finding.why}"
            said = "; ".join(finding.weak)
            if not is_weak:
                assert said == "", test
                continue
            assert re.search(WEAK[test], said), f"{test}\n{said}"
            assert finding.uncertain == ()


@pytest.mark.slow
def test_values_of_the_student_and_what_is_computed_from_them_are_replaced(warm) -> None:
    source = build(
        Solution("answer = 42\nnames = ['a', 'b']"),
        "assert isinstance(answer, int)",
        "assert answer == 42",
        "for name in names:\n    assert name in 'ab'",
        Solution("def area(x):\n    return [x * x]"),
        Given("areas = area(2)"),
        "assert all(one == 4 for one in areas)",
        "assert areas == [4]",
    )
    said = [" ".join(finding.weak) for finding in check_notebook(Instructor(source), warm, LIMITS)]
    assert "`answer` is" in said[0] and "`names` is []" in said[2] and "`areas` is []" in said[3]
    assert said[1] == said[4] == ""


@pytest.mark.slow
def test_points_for_a_part_and_cells_beside_the_students_code_are_tried_too(warm) -> None:
    source = notebook(
        code("def pair(x):\n    return [x, x]", solution=True, grade_id="work", cell_type="code"),
        test_cell("part", "points = 2 * (pair(3) == [3, 3])\npoints += all(x == 3 for x in pair(3))\npoints", 3),
        test_cell("beside", "assert all(x == 3 for x in pair(3))"),
        test_cell("right", "assert pair(3) == [3, 3]"),
    )
    findings = check_notebook(Instructor(source, beside_students=frozenset({"beside", "right"})), warm, LIMITS)
    assert [bool(finding.weak) for finding in findings] == [True, True, False]
    assert "`pair` returns []" in findings[0].weak[0] and "`pair` returns []" in findings[1].weak[0]


@pytest.mark.slow
def test_a_test_that_never_ends_on_an_empty_answer_costs_seconds_and_nothing_else(warm) -> None:
    endless = "x = 1\nwhile step(x) is not True:\n    x = step(x)\n    if x == 8:\n        break\nassert x == 8"
    source = build(Solution("def step(x):\n    return 2 * x"), endless, "assert all(one for one in [step(4)])", "assert step(2) == 4")
    findings = check_notebook(Instructor(source), warm, LIMITS)
    assert [finding.is_full for finding in findings] == [True] * 3
    assert "True" in " ".join(findings[1].weak) and findings[2].weak == ()


# What goes to the student's code, with the name that it takes along.
HANDED_OVER = {
    "table = {1: 1, 4: 2}\nfor x, want in table.items():\n    assert solve(lambda v: table[v], x) == want": "table",
    "table = [1, 2]\ndef f(i):\n    return table[i]\nassert solve(f) == table": "table",
    "want = 5\nclass Fake:\n    def __call__(self):\n        return want\nassert solve(Fake()) == want": "want",
    "want = 5\nclass Fake:\n    def __init__(self, w):\n        self.w = w\n    def go(self):\n        return 1\nfake = Fake(want)\n"
    "assert solve(fake.go) == want": "want",
    "from functools import partial\nwant = 5\ndef g(a, w):\n    return a\nassert solve(partial(g, w=want)) == want": "want",
    "want = 5\nassert solve(lambda a, w=want: a) == want": "want",
    "want = 5\ndef inner():\n    return want\ndef f(x):\n    return x + inner()\nassert solve(key=f) == want": "want",
    "cases = [(True, lambda x: x), (False, lambda x: -x)]\ndef made(n):\n    def f(x):\n        return cases[n][1](x)\n    return f\n"
    "for n, (right, _) in enumerate(cases):\n    assert solve(made(n)) == right": "cases",
    "cases = [(3, 1), (4, 2)]\ndef expect(right, f):\n    said = solve(f)\n    assert said == right\nfor right, n in cases:\n"
    "    expect(right, lambda x: cases[n][1] * x)": "cases",
}
NOT_HANDED_OVER = (
    "calls = []\ndef record(x):\n    calls.append(x)\n    return x\nout = solve(record, [1, 2])\nassert out == calls",
    "n = 0\ndef count(x):\n    global n\n    n += 1\n    return x\nassert solve(count) == n",
    "shift = 3\nassert solve(lambda v: v + shift, 1) == 1 + shift",
    "cases = [(lambda x: x, 3), (lambda x: 2 * x, 4)]\nfor f, want in cases:\n    assert solve(f) == want",
    "cases = [(True, lambda x: x), (False, lambda x: -x)]\ndef shifted(f):\n    return lambda x: f(x) + 1\n"
    "for right, f in cases:\n    assert solve(shifted(f)) == right",
    "data = [1, 2, 3]\ndef square(x):\n    return x * x\nassert solve(square, data) == [square(x) for x in data]",
    "want = [2, 4]\nassert solve([1, 2]) == want",
    "data = [1, 2]\nassert solve(str, data) == ['1', '2']",
    "size = (2, 3)\nclass Layer:\n    def __init__(self, size):\n        self.size = size\nassert solve(Layer(size)).shape == size",
    "longest = 3\ndef model(x):\n    assert len(x) <= longest\n    return x\nassert solve(model, [1], longest) == [1]",
    "asked = []\ndef ask(f, x):\n    asked.append((f, x, solve(f, x)))\ndef once(place):\n    def f(x):\n        return x == place\n    return f\n"
    "for place in (1, 2):\n    ask(once(place), 3)\nfor f, x, said in asked:\n    assert said == f(x)",
)


@pytest.mark.parametrize("test", HANDED_OVER)
def test_a_function_that_takes_an_answer_along_is_named(test: str) -> None:
    assert {name for _, _, name in handed_over(Flow(ast.parse(test), ["solve"]))} == {HANDED_OVER[test]}


@pytest.mark.parametrize("test", NOT_HANDED_OVER)
def test_a_function_that_takes_no_answer_along_is_not(test: str) -> None:
    assert list(handed_over(Flow(ast.parse(test), ["solve"]))) == []


def test_what_an_earlier_test_cell_made_is_handed_over_as_well() -> None:
    above = ast.parse("table = [1, 2]\ndef f(i):\n    return table[i]\nother = 3")
    found = list(handed_over(Flow(ast.parse("assert solve(f) == table"), ["solve"], above=[above])))
    assert [(line, name) for line, _, name in found] == [(1, "table")]


def test_what_is_said_to_stay_in_the_tests_process_does_stay_there() -> None:
    names: dict = {}
    exec("calls = []\nn = 0\ndef record(x):\n    calls.append(x)\ndef count(x):\n    global n\n    n += 1\ndef plain(x):\n    return calls", names)
    assert has_effects(names["record"]) and has_effects(names["count"]) and not has_effects(names["plain"])


@pytest.mark.slow
def test_the_check_names_it_in_the_notebook(warm) -> None:
    source = build(
        Solution("def solve(f, x):\n    return f(x)"),
        "table = {1: 1, 4: 2}\nfor x, want in table.items():\n    assert solve(lambda v: table[v], x) == want",
        "calls = []\ndef noted(x):\n    calls.append(x)\n    return x + 1\nassert solve(noted, 1) == 2 and calls == [1]",
    )
    weak = [finding.weak for finding in check_notebook(Instructor(source), warm, LIMITS)]
    assert any("takes `table` along" in note for note in weak[0]) and not any("along" in note for note in weak[1])


@pytest.mark.parametrize(
    "test",
    [
        "ok = solve(2) == 4\nassert ok",
        "assert solve(2)",
        "helper(solve)",
        "with raises(ValueError):\n    solve(-1)",
        "solve(2)\nassert helper",
        "points = 3 if solve(2) == 4 else 0\npoints",
        "if solve(2) != 4:\n    raise AssertionError",
        "@run\ndef test():\n    assert solve(2) == 4",
        "assert [] == solve(2)",
        "assert solve(2) == 4\nassert True",
        "print(solve(2) == 4)\nassert solve(2) == 4",
        "same = solve(2) == 4\nassert same",
        "assert issubclass(solve, Exception)",
    ],
)
def test_nothing_certain_is_said_of_what_may_check(test: str) -> None:
    assert list(certainly(Flow(ast.parse(test), ["solve"]))) == []
