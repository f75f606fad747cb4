"""Values that can pass for what they are not are what they are where the solution gives such, too, and cost nobody honest a point."""

from __future__ import annotations

import collections

import numpy as np
import pandas as pd
import pytest

from helpers.instructors import LIMITS, Solution, build, handed_in
from helpers.kernel_here import calls_of
from nbjudge._analysis.instructor import Instructor
from nbjudge._execution import execute as execution
from nbjudge._execution.check import check_notebook
from nbjudge._execution.execute import execute
from nbjudge._wire.errors import WorkFault

IMPORTS = "import collections\nimport numpy as np\n"
HIDES = "def f(x):\n    return np.ma.masked_greater(x, 1)"
TABLE = "def table():\n    return {'relu': lambda x: max(x, 0), 'layers': [abs, int]}"
STATE = "State = collections.namedtuple('State', 'mean count')\ndef start():\n    return State(0.0, 0)\ndef step(state, x):\n"
STEP = STATE + "    return State((state.mean * state.count + x) / (state.count + 1), state.count + 1)"
BAG = """
class Bag:
    def __init__(self, items): self.kept = {keeps}
    def count(self, item): return {counts}
def bag(): return Bag([1, 1])
"""
# The solution, the answer of an honest student, and the test.
HONEST = {
    "masked arrays": (HIDES, "def f(x):\n    return np.ma.array(x, mask=x > 1)", "x = np.arange(3)\nassert f(x).mask.tolist() == [0, 0, 1]"),
    "functions in a dict": (
        TABLE,
        "def table():\n    return {'relu': lambda x: x if x > 0 else 0, 'layers': [abs, round]}",
        "assert table()['relu'](-2) == 0 and table()['layers'][0](-1) == 1",
    ),
    "functions in the place of objects": (
        "class Step:\n    def __call__(self, x):\n        return x + 1\ndef steps():\n    return [Step()]",
        "def steps():\n    return [lambda x: x + 1]",
        "assert steps()[0](1) == 2",
    ),
    "a function that no test asks for": (
        "def fit(x):\n    return {'slope': 2 * x}",
        "def fit(x):\n    return {'slope': 2 * x, 'predict': lambda y: y}",
        "assert fit(1)['slope'] == 2 and 'slope' in fit(1)",
    ),
    "the same named tuple": (STEP, STEP, "state = step(step(start(), 2.0), 4.0)\nassert state.mean == 3 and state.count == 2 and state == (3, 2)"),
    "a named tuple for a tuple": (
        "def start():\n    return 0.0, 0\ndef step(state, x):\n    mean, count = state\n    return (mean * count + x) / (count + 1), count + 1",
        STEP,
        "mean, count = step(step(start(), 2.0), 4.0)\nassert mean == 3 and count == 2 and step(start(), 1.0) == (1, 1)",
    ),
    "a named tuple for an object": (
        "import dataclasses\n@dataclasses.dataclass\nclass Size:\n    shape: tuple\n    size: int\ndef f(x):\n    return Size(x.shape, x.size)",
        "def f(x):\n    return collections.namedtuple('Size', 'shape size')(x.shape, x.size)",
        "assert f(np.ones((2, 3))).shape == (2, 3) and f(np.ones(4)).size == 4",
    ),
    "a masked array that hides nothing": (
        "def f(x):\n    return x * 2",
        "def f(x):\n    return np.ma.array(x * 2)",
        "assert (f(np.ones(2)) == 2).all()",
    ),
    "a masked array on its way": (
        "def hide(x):\n    return np.where(x > 1, 0, x)\ndef total(x):\n    return x.sum()",
        "def hide(x):\n    return np.ma.masked_greater(x, 1)\ndef total(x):\n    return x.filled(0).sum()",
        "assert total(hide(np.arange(3))) == 1",
    ),
    "a matrix on its way": (
        "def turn():\n    return np.array([[0, -1], [1, 0]])\ndef apply(m, v):\n    return m @ v",
        "def turn():\n    return np.matrix([[0, -1], [1, 0]])\ndef apply(m, v):\n    return np.asarray(m * v.reshape(2, 1)).ravel()",
        "assert apply(turn(), np.array([1, 2])).tolist() == [-2, 1] and (turn() == [[0, -1], [1, 0]]).all()",
    ),
    "missing values": (
        "import pandas as pd\ndef f():\n    return pd.Series([1.0, None])",
        "import pandas as pd\ndef f():\n    return pd.Series([1, None], dtype='Int64')",
        "assert f().isna().sum() == 1 and f()[0] == 1",
    ),
    "an object that counts": (
        BAG.format(keeps="items", counts="self.kept.count(item)"),
        BAG.format(keeps="{1: 2}", counts="self.kept[item]"),
        "assert bag().count(1) == 2",
    ),
    "what a library counts": (
        "import pandas as pd\ndef groups(table):\n    return table.groupby('a')",
        "import pandas as pd\ndef groups(table):\n    return table.groupby(['a'])",
        "import pandas as pd\nassert groups(pd.DataFrame({'a': [1, 1], 'b': [2, 3]})).count()['b'].tolist() == [2]",
    ),
}


@pytest.mark.parametrize("solution, answer, test", HONEST.values(), ids=HONEST.keys())
def test_honest_work_keeps_its_points(solution, answer, test, warm):
    source = build(Solution(IMPORTS + solution), f"import numpy as np\n{test}")
    [verdict] = execute(handed_in(source, IMPORTS + answer), Instructor(source), warm, LIMITS).verdicts
    assert (verdict.kind, verdict.message) == ("passed", "")


LIES = {
    "another test": (HIDES, HIDES, ["assert f(np.arange(3)).mask.any()", "assert f(np.arange(2)).tolist() == [0, 1]"], [1, 1]),
    "a mask where the solution has none": (
        HIDES,
        "def f(x):\n    return np.ma.array(x + 7, mask=x == 0)",
        ["assert f(np.arange(3)).mask.any()", "assert not (f(np.zeros(2)) != 0).any()"],
        [1, 0],
    ),
    "functions where the solution has none": (
        "def f(n):\n    return [abs] if n else [True]",
        "def f(n):\n    return [abs]",
        ["assert f(1)[0](-1) == 1", "assert all(f(0))"],
        [1, 0],
    ),
}


@pytest.mark.parametrize("solution, answer, tests, points", LIES.values(), ids=LIES.keys())
def test_what_the_solution_gives_in_one_test_is_no_leave_for_another(solution, answer, tests, points, warm):
    source = build(Solution(IMPORTS + solution), *(f"import numpy as np\n{test}" for test in tests))
    found = execute(handed_in(source, IMPORTS + answer), Instructor(source), warm, LIMITS).verdicts
    assert [verdict.points for verdict in found] == points, found
    assert all(("is known that gives" in verdict.message) == (verdict.points == 0) for verdict in found)


def test_the_solution_is_asked_once(warm, monkeypatch):
    source, runs = build(Solution(IMPORTS + "def f():\n    return {'a': [abs]}"), "assert f()['a'][0](-1) == 1"), []
    once = execution._once
    monkeypatch.setattr(execution, "_once", lambda notebook, *rest: (runs.append(notebook is source), once(notebook, *rest))[1])
    for answer in ("def f():\n    return {'a': [abs, 1]}", "def f():\n    return {'a': [abs, 2]}", "def f():\n    return 3"):
        execute(handed_in(source, IMPORTS + answer), Instructor(source), warm, LIMITS, excuse=False)
    assert runs.count(True) == 1


def test_the_check_of_a_solution_that_hides_something_finds_nothing(warm):
    source = build(Solution(IMPORTS + HIDES), "import numpy as np\nassert f(np.arange(3)).mask.tolist() == [0, 0, 1]")
    assert all(finding.is_full for finding in check_notebook(Instructor(source), warm, LIMITS))


WORDS = {
    "a masked array": (lambda: np.ma.array([1], mask=True), "`f` returned a masked array, which equals whatever it hides: give a plain array"),
    "a masked array inside": (lambda: [np.ma.masked], "`f` returned something that holds a masked array"),
    "a missing value": (lambda: pd.Series([None], dtype="Int64"), "`f` returned a missing value (`pd.NA`), which comparisons leave out"),
    "a function inside": (lambda: {"a": abs}, "`f` returned something that holds a function or class"),
    "functions in an array": (lambda: np.array([abs]), "`f` returned an array or table that holds functions or objects"),
}


@pytest.mark.parametrize("give, said", WORDS.values(), ids=WORDS.keys())
def test_the_sentence_says_what_it_is(give, said):
    _, names = calls_of({"f": give})
    value = names["f"]()
    value = value[0] if type(value) is list else value["a"] if type(value) is dict else value
    for use in (bool, len, list, np.asarray, np.sum, float, lambda v: v == 1, lambda v: isinstance(v, int), lambda v: v.shape, lambda v: v - 1):
        with pytest.raises(WorkFault) as caught:
            use(value)
        assert said in str(caught.value)


def test_a_named_tuple_without_its_names_says_so():
    _, names = calls_of({"f": lambda: collections.namedtuple("Result", "equals x")(lambda _: True, 1)})
    value = names["f"]()
    assert isinstance(value, tuple) and value[1] == 1 and len(value) == 2
    for name in ("equals", "x"):
        with pytest.raises(WorkFault, match=f"a field `{name}`"):
            getattr(value, name)
    assert not hasattr(value, "other")
