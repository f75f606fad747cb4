"""Calls that travel together: `__call_each__` of a student's function gives what calls one after the other give, in one question."""

from __future__ import annotations

import pytest

from helpers.instructors import Solution, build
from nbjudge._execution.execute import execute
from nbjudge._wire.limits import Limits

EACH = "asked = []\ndef each(f, arguments):\n    return type(f).__call_each__(f, arguments)\n"
SQUARES = "assert each(square, [[n] for n in range(40)]) == [n * n for n in range(40)]"
CASES = {
    "numbers": ("def square(x):\n    return x * x", SQUARES, "passed"),
    "one of them is wrong": ("def square(x):\n    return x * x + (x == 39)", SQUARES, "failed"),
    "they end before the first that fails": (
        "def square(x):\n    return x * x if x < 3 else x / 0",
        "assert each(square, [[n] for n in range(40)]) == [0, 1, 4]\n"
        "try:\n    square(3)\nexcept ZeroDivisionError:\n    pass\nelse:\n    assert False",
        "passed",
    ),
    "the first fails": ("def square(x):\n    raise SystemExit", "assert each(square, [[1], [2]]) == []", "passed"),
    "nothing is called": ("def square(x):\n    return x * x", "assert each(square, []) == []", "passed"),
    "several arguments, arrays": (
        "import numpy as np\ndef square(x, y=1):\n    return x * y",
        "import numpy as np\na, b = each(square, [[np.ones(2), np.arange(2)], [np.ones(3)]])\n"
        "assert a.tolist() == [0, 1] and b.tolist() == [1, 1, 1]",
        "passed",
    ),
    "what is too large for one message is called alone": (
        "import numpy as np\ndef square(x):\n    return np.ones((x, 4096, 1024))",
        "found = each(square, [[1], [2], [3], [4]])\n"
        "assert 0 < len(found) < 4 and all(one.shape == (n, 4096, 1024) for n, one in enumerate(found, 1))",
        "passed",
    ),
    "what does not travel ends them": (
        "import torch\ndef square(x):\n    return x if x < 2 else torch.ones(2).to_sparse()",
        "assert each(square, [[1], [2], [3]]) == [1]",
        "passed",
    ),
    "objects": (
        "class Box:\n    def __init__(self, v):\n        self.v = v\ndef square(x):\n    return Box(x)",
        "a, b = each(square, [[1], [2]])\nassert (a.v, b.v) == (1, 2)",
        "passed",
    ),
    "a method": (
        "class Sum:\n    def __init__(self):\n        self.v = 0\n    def add(self, n):\n        self.v += n\n        return self.v\n"
        "def square(x):\n    return Sum()",
        "assert each(square(1).add, [[1], [2], [3]]) == [1, 3, 6]",
        "passed",
    ),
}


METHODS = "def in_turn(thing, *calls):\n    return type(thing).__call_methods__(thing, calls)\n"
SUM = (
    "class Sum:\n    total = 0\n    def add(self, n):\n        self.total += n\n        return self.total\n"
    "    def index(self, n):\n        return n\n"
    "    def last(self, items):\n        return items[-1]\n    def __call__(self, factor):\n        return factor * self.total\n"
    "    def itself(self):\n        return self\n"
)
OF_ONE_OBJECT = {
    "one after the other": (SUM, "assert in_turn(Sum(), ('add', [2]), ('add', [3]), ('__call__', [10])) == [2, 5, 50]", "passed"),
    "one of them is wrong": (
        SUM.replace("factor * self", "factor + self"),
        "assert in_turn(Sum(), ('add', [2]), ('add', [3]), ('__call__', [10])) == [2, 5, 50]",
        "failed",
    ),
    "they end before the first that fails": (
        SUM,
        "one = Sum()\nassert in_turn(one, ('add', [2]), ('last', [[]]), ('add', [3])) == [2] and one.total == 2\n"
        "try:\n    one.last([])\nexcept IndexError:\n    pass\nelse:\n    assert False",
        "passed",
    ),
    "a method that is not there": (SUM, "assert in_turn(Sum(), ('add', [2]), ('subtract', [1]), ('add', [3])) == [2]", "passed"),
    "what may judge is asked alone": (SUM, "one = Sum()\nassert in_turn(one, ('add', [2]), ('index', [1])) == [2]", "passed"),
    "a special method is asked alone": (SUM, "assert in_turn(Sum(), ('__eq__', [1])) == []", "passed"),
    "the object itself": (
        SUM,
        "one = Sum()\n[same, _] = in_turn(one, ('itself', []), ('add', [1]))\nassert same is one and one.total == 1",
        "passed",
    ),
    "one hides a method": (
        SUM + "    def hide(self):\n        self.add = lambda n: -n\n",
        "assert in_turn(Sum(), ('add', [2]), ('hide', []), ('add', [3])) == [2, None, -3]",
        "passed",
    ),
    "a network": (
        "import torch\nclass Net(torch.nn.Linear):\n    def forward(self, x):\n        return super().forward(x) * 2",
        "import torch\nnet = Net(1, 1)\nweights = {'weight': torch.ones(1, 1), 'bias': torch.zeros(1)}\n"
        "*_, found = in_turn(net, ('load_state_dict', [weights]), ('eval', []), ('__call__', [torch.ones(2, 1)]))\n"
        "assert found.tolist() == [[2.0], [2.0]] and not net.training",
        "passed",
    ),
}


@pytest.mark.parametrize(("answer", "test", "kind"), OF_ONE_OBJECT.values(), ids=OF_ONE_OBJECT.keys())
def test_methods_of_one_object_travel_together_too(verdicts, answer: str, test: str, kind: str) -> None:
    [verdict] = verdicts([Solution(answer), METHODS + test])
    assert verdict.kind == kind, verdict.message


@pytest.mark.parametrize(("answer", "test", "kind"), CASES.values(), ids=CASES.keys())
def test_they_give_what_calls_alone_give(verdicts, answer: str, test: str, kind: str) -> None:
    [verdict] = verdicts([Solution(answer), EACH + test])
    assert verdict.kind == kind, verdict.message


def test_they_are_one_question(warm) -> None:
    notebook = build(Solution("def square(x):\n    return x * x"), EACH + SQUARES)
    alone = build(Solution("def square(x):\n    return x * x"), "assert [square(n) for n in range(40)] == [n * n for n in range(40)]")
    together, one_by_one = (execute(one, one, warm, Limits()).conversation for one in (notebook, alone))
    assert together is not None and one_by_one is not None
    assert len(one_by_one.said) - len(together.said) == 2 * 39


def test_an_argument_that_is_changed_ends_them(verdicts) -> None:
    test = EACH + "mine = [[1], [1, 2], [1]]\nassert each(square, [[one] for one in mine]) == [1] and mine[1] == [1, 2]\nsquare(mine[1])"
    answer = "def square(x):\n    if len(x) > 1:\n        x.pop()\n    return 1"
    [verdict] = verdicts([Solution("def square(x):\n    return min(1, len(x))"), test.replace("== [1] and", "!= [] and")], answer)
    assert verdict.kind == "failed" and "changed its argument 1" in verdict.message


def test_no_time_is_gained_by_them(warm) -> None:
    notebook = build(Solution("def square(x):\n    while x == 20:\n        pass\n    return x * x"), EACH + SQUARES)
    [verdict] = execute(notebook, notebook, warm, Limits(test_seconds=1)).verdicts
    assert verdict.kind == "timeout"
