"""Students' functions in the hands of libraries, and iterators without an end in the hands of students' functions."""

from __future__ import annotations

import pytest

WORK = """
def parabola(x):
    return (x - 2) ** 2

def weigh(x, y):
    return x + 2 * y

def decay(t, y):
    return -y

def take(items, count):
    found = []
    for item in items:
        found.append(item)
        if len(found) == count:
            break
    return found

def total(items):
    return sum(items)

def doubled(items):
    for item in items:
        yield 2 * item

def nth(about, place):
    for _ in range(place):
        next(about["items"])
    return next(about["items"])
"""
LIBRARIES = {
    "vectorize": "import numpy as np\nassert np.vectorize(weigh)([1, 2], [3, 4]).tolist() == [7, 10]",
    "vectorize with names": "import numpy as np\nassert np.vectorize(parabola, otypes=[float])([1, 2]).tolist() == [1, 0]",
    "frompyfunc": "import numpy as np\nassert np.frompyfunc(weigh, 2, 1)([1, 2], [3, 4]).tolist() == [7, 10]",
    "along an axis": "import numpy as np\nassert np.apply_along_axis(parabola, 0, np.arange(6).reshape(2, 3)).shape == (2, 3)",
    "of indices": "import numpy as np\nassert np.fromfunction(weigh, (2, 2)).tolist() == [[0, 2], [1, 3]]",
    "of a table": "import pandas as pd\nassert pd.DataFrame({'a': [1, 2]}).apply(parabola).a.tolist() == [1, 0]",
    "of a column": "import pandas as pd\nassert pd.Series([1, 2]).map(parabola).tolist() == [1, 0]",
    "partly": "import functools\nassert functools.partial(weigh, 1)(2) == 5 and functools.reduce(weigh, [1, 2, 3]) == 11",
    "as a key": "assert sorted([5, 2, 1], key=parabola) == [2, 1, 5] and max([0, 5], key=parabola) == 5",
    "a mark for nothing": "import dataclasses, inspect\nassert parabola != dataclasses.MISSING and parabola != inspect.Parameter.empty",
    "an ellipsis": "assert parabola != ... and not parabola == NotImplemented",
}
ENDLESS = {
    "count": "import itertools\nassert take(itertools.count(5), 3) == [5, 6, 7]",
    "cycle": "import itertools\nassert take(itertools.cycle('ab'), 5000)[-1] == 'b'",
    "repeat": "import itertools\nassert take(itertools.repeat(4), 2) == [4, 4]",
    "zip": "import itertools\nassert take(zip(itertools.count(), 'abc'), 5) == [(0, 'a'), (1, 'b'), (2, 'c')]",
    "a generator of the test's": "def evens():\n    n = 0\n    while True:\n        yield n\n        n += 2\nassert take(evens(), 1500)[-1] == 2998",
    "into a generator": "import itertools\ng = doubled(itertools.count())\nassert [next(g) for _ in range(2500)][-1] == 4998",
    "deep in a value": "import itertools\nassert nth({'items': itertools.count(1)}, 1500) == 1501",
    "long, with an end": "assert total(x for x in range(5000)) == sum(range(5000)) and total(iter(range(1001))) == 500500",
    "an error behind": "def breaks():\n    yield from range(1500)\n    raise KeyError('lost')\n"
    "try:\n    total(breaks())\nexcept KeyError:\n    pass\nelse:\n    assert False, 'no error'",
    "a class of the test's": "class Ones:\n    def __iter__(self):\n        return self\n    def __next__(self):\n        return 1\n"
    "assert take(Ones(), 3) == [1, 1, 1]",
}


@pytest.mark.parametrize("test", [*LIBRARIES.values(), *ENDLESS.values()], ids=[*LIBRARIES, *ENDLESS])
def test_it_goes_on_as_in_a_notebook(verdict_on, test: str) -> None:
    verdict = verdict_on(WORK, test)
    assert verdict.kind == "passed", verdict.message


@pytest.mark.parametrize("value", ["3", "[1]", "'x'", "{}", "2.5", "__import__('numpy').ones(2)", "__import__('datetime').date(2024, 1, 1)"])
def test_a_function_in_the_place_of_a_value_is_said(verdict_on, value: str) -> None:
    verdict = verdict_on("answer = lambda: 3", f"assert answer == {value}")
    assert verdict.kind == "failed" and "where a plain value was expected" in verdict.message


def test_a_sum_without_an_end_costs_this_test_alone(verdict_on) -> None:
    verdict = verdict_on(WORK, "import itertools\ntotal(itertools.count())", test_seconds=2)
    assert verdict.kind == "timeout" and verdict.points == 0


KEEPERS = """
from dataclasses import dataclass

class Tracker:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append("in")
        return self

    def __exit__(self, kind, error, trace):
        self.log.append("out")
        return kind is KeyError

class Quiet(Tracker):
    pass

@dataclass
class Register:
    name: str
    book: dict

    def add(self, key):
        self.book[key] = self.name

class Bus:
    def attach(self, board=None):
        self.board = board if board is not None else []

    def put(self, place):
        self.board[place] = 1

def logged(calls):
    def decorate(function):
        def wrapper(*arguments):
            calls.append(arguments)
            return function(*arguments)
        return wrapper
    return decorate

class Own:
    def __init__(self, items):
        self.items = list(items)

    def add(self, item):
        self.items.append(item)

class Reader:
    def __init__(self, items):
        self.items = items

    def last(self):
        return self.items[-1]
"""
KEPT = {
    "a class": "log = []\nwith Tracker(log) as tracker:\n    log.append('body')\n    raise KeyError\n"
    "assert log == ['in', 'body', 'out'] and tracker.log is log",
    "a class derived from it": "log = []\nwith Quiet(log=log):\n    pass\nassert log == ['in', 'out']",
    "a data class": "book = {}\nregister = Register('a', book)\nregister.add(1)\nregister.add(2)\nassert book == {1: 'a', 2: 'a'} == register.book",
    "a method": "import numpy as np\nboard = np.zeros(3)\nbus = Bus()\nbus.attach(board)\nbus.put(1)\nassert board.tolist() == [0, 1, 0]",
    "an inner function": "calls = []\n@logged(calls)\ndef same(x):\n    return x\nsame(1)\nsame(2)\nassert calls == [(1,), (2,)]",
    "a copy of its own": "items = [1]\nown = Own(items)\nown.add(2)\nassert items == [1] and own.items == [1, 2]",
    "one that only reads": "items = [1]\nreader = Reader(items)\nitems.append(5)\nassert reader.last() == 5",
}


@pytest.mark.parametrize("test", KEPT.values(), ids=KEPT)
def test_what_an_object_keeps_and_changes_is_the_tests_own(verdict_on, test: str) -> None:
    verdict = verdict_on(KEEPERS, test)
    assert verdict.kind == "passed", verdict.message


@pytest.mark.parametrize("method", ["def last(self):\n        self.items[:] = [7]\n        return 7", "def last(self):\n        self.items.clear()"])
def test_where_the_solution_only_reads_a_student_changes_nothing(verdict_on, method: str) -> None:
    cheat = f"class Reader:\n    def __init__(self, items):\n        self.items = items\n\n    {method}"
    test = "items = [1]\nreader = Reader(items)\nanswer = reader.last()\nassert items == [1], 'changed'\nassert answer == items[-1], 'wrong'"
    assert verdict_on(cheat, test, KEEPERS).message == "wrong"


THREADS = {
    "a counter": "import threading\nregister = Register('a', {})\nthreads = [threading.Thread(target=register.add, args=(n,)) for n in range(8)]\n"
    "for thread in threads:\n    thread.start()\nfor thread in threads:\n    thread.join()\nassert len(register.book) == 8",
    "a pool": "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(4) as pool:\n"
    "    assert list(pool.map(lambda n: Reader([n]).last(), range(40))) == list(range(40))",
}


@pytest.mark.parametrize("test", THREADS.values(), ids=THREADS)
def test_threads_of_a_test_ask_one_after_the_other(verdict_on, test: str) -> None:
    verdict = verdict_on(KEEPERS, test)
    assert verdict.kind == "passed", verdict.message
