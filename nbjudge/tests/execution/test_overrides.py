"""Where a notebook has changed something of Python's or a library's own, and that breaks its code, the message says so; and nowhere else."""

from __future__ import annotations

import pytest

from nbjudge._execution.execute import execute
from nbjudge._proxies.overrides import in_sentences
from nbjudge.testing.notebooks import code, notebook, test_cell

WORK = """
import warnings
import numpy as np
import torch


def total(x):
    return sum(range(int(x)))


def tiny(x):
    return np.exp(-x)


def careful():
    warnings.warn("careful")
    return 1


def deep(n):
    return n if n == 0 else deep(n - 1)


def mixed(x):
    return torch.nn.Linear(2, 2)(x)


def slope():
    x = torch.ones(2, requires_grad=True) * 2
    x.sum().backward()
    return 1


def local(x):
    with np.errstate(all="raise"):
        return np.exp(-x)


def ordered(x):
    return all(one <= other for one, other in zip(x, x[1:]))


def helped(x):
    return not ordered(x)


def largest(x):
    return max(float(one) for one in x) + 1


def empty(n):
    return np.zeros(n, dtype=bool)


def elsewhere(x):
    return list(range(3))[x] + x[0]


def read(path):
    return open(path).read()


def leave(code):
    return exit(code, 2, 3)
"""
TESTS = {
    "total": "assert total(4) == 6",
    "tiny": "### BEGIN HIDDEN TESTS\nassert tiny(1e4) == 0\n### END HIDDEN TESTS",
    "careful": "assert careful() == 1",
    "deep": "assert deep(150) == 0",
    "mixed": "import torch\nassert mixed(torch.ones(3, 2)).shape == (3, 2)",
    "slope": "assert slope() == 1",
    "ordered": "assert not ordered([2, 1])",
    "helped": "assert helped([2, 1])",
    "largest": "assert largest([2, 1]) == 3",
    "empty": "assert empty(2).sum() == 0",
    "part": "points = 0\ntry:\n    points += total(4) == 6\nexcept TypeError:\n    pass\npoints * 2",
}


def messages(first: str, warm, limits, tests: dict[str, str] = TESTS) -> dict[str, str]:
    """What is said of the tests that lose points when a cell with `first` stands above right work."""
    source = notebook(code(WORK, solution=True, grade_id="work"), *(test_cell(name, test, 2) for name, test in tests.items()))
    submitted = notebook(first, *source.cells)
    found = execute(submitted, source, warm, limits).verdicts
    return {verdict.grade_id: f"{verdict.message}\n{verdict.printed}" for verdict in found if verdict.points < verdict.max_points}


@pytest.mark.parametrize(
    ("first", "lost", "said"),
    [
        ("range = 5", {"total", "part"}, "`range` is a value of the type int, and no more Python's own: call yours by another name"),
        ("range = None", {"total", "part"}, "`range` is a value of the type NoneType, and no more Python's own"),
        ("def sum(a, b):\n    return a + b", {"total", "part"}, "`sum` is a function or class of yours, and no more Python's own"),
        ("from torch import range", {"total", "part"}, "`range` is torch's and no more Python's own. A line such as `from torch import *` does that"),
        ("from torch import int64 as int", {"total", "part"}, "`int` is a value of the type dtype"),
        ("from torch import *", {"total", "part", "ordered", "helped", "largest", "empty"}, "is torch's and no more Python's own"),
        ("from torch import bool", {"empty"}, "`bool` is torch's and no more Python's own"),
        ("from numpy import *", {"ordered", "helped", "largest"}, "is numpy's and no more Python's own"),
        (
            "from numpy import all",
            {"ordered", "helped"},
            "`all` is numpy's and no more Python's own: of `all(... for ...)` it sees none of the items",
        ),
        ("import numpy as np\nnp.seterr(all='raise')", {"tiny"}, "take out the line with `np.seterr`"),
        ("import warnings\nwarnings.simplefilter('error')", {"careful"}, "makes errors of warnings, and this UserWarning is one of them"),
        ("import sys\nsys.setrecursionlimit(120)", {"deep"}, "no more than 120 deep"),
        ("import torch\ntorch.set_default_dtype(torch.float64)", {"mixed"}, "has torch make float64 numbers"),
        ("import torch\ntorch.set_grad_enabled(False)", {"slope"}, "has switched gradients off"),
    ],
)
def test_the_message_says_what_the_notebook_has_changed(first: str, lost: set[str], said: str, warm, limits) -> None:
    found = messages(first, warm, limits)
    assert {name: said in text for name, text in found.items()} == dict.fromkeys(lost, True), found


@pytest.mark.parametrize(
    ("first", "test"),
    [
        ("total = 1\nrange = range", "assert total(0) == 1"),  # the same as before, by an assignment of its own
        ("range = 5", "assert tiny('x') == 0"),  # an error that has nothing to do with it
        ("range_ = 5", "assert elsewhere(0) == 0"),
        ("from numpy import all, any", "assert elsewhere(0) == 5"),  # not given what they cannot look into
        ("len = 3", "assert elsewhere(7) == 0"),  # nothing of it is called
        ("", "assert local(1e4) == 0"),  # the function's own, for as long as it runs
        ("", "assert read('gone.csv') == ''"),  # a notebook's `open` is IPython's from the start
        ("", "assert leave(1) == 0"),
        ("import warnings\nwarnings.simplefilter('error', DeprecationWarning)", "assert total('x') == 0"),
    ],
)
def test_what_has_nothing_to_do_with_an_error_is_not_named(first: str, test: str, warm, limits) -> None:
    [said] = messages(first, warm, limits, {"only": test}).values()
    assert "our notebook" not in said


def test_without_a_change_nothing_is_lost(warm, limits) -> None:
    assert messages("", warm, limits) == {}


@pytest.mark.parametrize(
    "told",
    [
        None,
        "numpy",
        [["numpy", ""]],
        [["value", "range", "<b>int</b>"]],
        [["value", "no_builtin", "int"]],
        [["no_kind", "", ""]],
        [["warnings", "hidden data: 1, 2", ""]],
        [[1, 2, 3]],
        [["warnings", "x" * 61, ""]],
        [{}],
    ],
)
def test_what_a_students_process_makes_up_is_no_sentence(told: object) -> None:
    assert in_sentences({"overrides": told}) == []
    assert in_sentences(told) == []
