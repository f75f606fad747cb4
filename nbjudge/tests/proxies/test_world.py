"""The world of a test cell: whose each name is, what the instructor's folder gives, and what a test sets for the student's functions.

Each case is a notebook: `given(...)` is a cell of the instructor's, `solution(...)` the student's to write, a test cell has a
number. The instructor's own solution earns everything, as it does with nbgrader's own step.
"""

from __future__ import annotations

import multiprocessing
import types

import pytest
from nbformat import NotebookNode

from helpers.effects import EFFECTS
from helpers.exchanged import EXCHANGED
from helpers.instructors import EMPTY, SQUARE, Given, Solution, build, plain

LIKE_STOCK = (
    EXCHANGED
    | EFFECTS
    | {
        "test cells share names": [SQUARE, "import math\nfour = square(2)", "assert math.isclose(four, 4)"],
        "a helper of an earlier test": [SQUARE, "def check(n, wanted):\n    assert square(n) == wanted\ncheck(1, 1)", "check(3, 9)"],
        "a test's name is the student's again": [Solution("x = 1"), "x = x + 1\nassert x == 2", Solution("x = 10"), "assert x == 10"],
        "quickstart": [
            SQUARE,
            Solution("def cube(x):\n    return square(x) * x"),
            "orig = square\ndel square\ntry:\n    cube(1)\nexcept NameError:\n    pass\nelse:\n    raise AssertionError\nfinally:\n    square = orig",
            "assert cube(3) == 27",
        ],
        "what a failed test deleted stays deleted": [
            SQUARE,
            Solution("def cube(x):\n    return square(x) * x"),
            "orig = square\ndel square\ntry:\n    cube(1)\nexcept NameError:\n    pass",
            "try:\n    cube(1)\nexcept NameError:\n    pass\nelse:\n    raise AssertionError",
        ],
        "a mock in place of a student's function": [
            SQUARE,
            Solution("def cube(x):\n    return square(x) * x"),
            "real = square\nsquare = lambda x: 100\nassert cube(2) == 200\nsquare = real\nassert cube(2) == 8",
        ],
        "a def in place of a student's function": [
            SQUARE,
            Solution("def cube(x):\n    return square(x) * x"),
            "def square(x):\n    return 7\nassert cube(2) == 14",
        ],
        "a global that the test sets": [Solution("def solve():\n    return sum(map(sum, grid))"), "grid = [[1, 2], [3]]\nassert solve() == 6"],
        "a global that the test changes in place": [
            Solution("grid = [[1]]\ndef solve():\n    return sum(map(sum, grid))"),
            "grid[0][0] = 5\nassert solve() == 5\ngrid.append([2])\nassert solve() == 7",
        ],
        "a global set by a function of the test": [
            Solution("level = 1\ndef f():\n    return level * 2"),
            "def setup():\n    global level\n    level = 21\nsetup()\nassert f() == 42",
        ],
        "a global that a loop sets": [Solution("def f():\n    return n + 1"), "for n in range(4):\n    assert f() == n + 1"],
        "a global of an earlier test": [Solution("def f():\n    return n + 1"), "n = 1\nassert f() == 2", "assert f() == 2"],
        "imports of a set-up cell": [
            Given("import numpy as np\nfrom math import pi, sin as sine"),
            SQUARE,
            "assert np.allclose(square(np.ones(2)), 1) and sine(pi) < 1e-9",
        ],
        "a part of a package that another import loads": [
            Given("import email\nimport email.mime.audio as audio"),
            SQUARE,
            "import email\nassert square(3) == 9 and email.mime.audio.MIMEAudio",
        ],
        "star imports": [Given("from math import *\nfrom numpy.testing import *"), SQUARE, "assert_allclose(square(sqrt(2)), 2)"],
        "a helper that uses the student's name": [Given("def check_all():\n    assert square(3) == 9"), SQUARE, "check_all()"],
        "a helper that uses a helper": [Given("K = 3\ndef three(): return K\ndef check(f):\n    assert f(three()) == 9"), SQUARE, "check(square)"],
        "a helper that a later cell replaces": [
            Given("def check(f): assert False"),
            SQUARE,
            Given("def check(f): assert f(2) == 4"),
            "check(square)",
        ],
        "a conditional import": [
            Given("try:\n    import no_such_module as m\nexcept ImportError:\n    m = None"),
            SQUARE,
            "assert m is None and square(2) == 4",
        ],
        "a wrapped helper": [
            Given(
                "import functools\ndef twice(f):\n    @functools.wraps(f)\n    def g(*a):\n        f(*a); f(*a)\n"
                "    return g\n@twice\ndef check(f):\n    assert f(2) == 4"
            ),
            SQUARE,
            "check(square)",
        ],
        "a class of checks": [
            Given("class Checker:\n    def __init__(self, f): self.f = f\n    def run(self): assert self.f(2) == 4"),
            SQUARE,
            "Checker(square).run()",
        ],
        "an alias": [Given("import numpy as np\ncheck = np.testing.assert_allclose"), SQUARE, "check(square(3), 9)"],
        "unittest": [
            Given("import unittest\ntc = unittest.TestCase()"),
            SQUARE,
            "tc.assertEqual(square(3), 9)\nwith tc.assertRaises(TypeError):\n    square('x')",
        ],
        "plain data": [
            plain("cases = {1: 1, 2: 4}\nlimit = max(cases)"),
            SQUARE,
            "for n, wanted in cases.items():\n    assert square(n) == wanted\nassert limit == 2",
        ],
        "data that set-up grows": [
            plain("cases = []\nfor n in range(3):\n    cases.append(n)"),
            SQUARE,
            "assert [square(n) for n in cases] == [0, 1, 4]",
        ],
        "data that the student changes": [plain("stack = []"), Solution("def push(x):\n    stack.append(x)\npush(3)"), "assert stack == [3]"],
        "data that the student rebinds": [plain("total = 0"), Solution("total = total + 5"), "assert total == 5"],
        "data from the student's function": [SQUARE, plain("nine = square(3)"), "assert nine == 9"],
        "random data": [plain("import random\nxs = [random.random() for _ in range(3)]"), Solution("total = sum(xs)"), "assert total == sum(xs)"],
        "a stub in a plain cell is the student's": [plain("def f(x):\n    pass"), Solution("def f(x):\n    return x"), "assert f(1) == 1"],
        "a class of set-up that both use": [
            Given("class Node:\n    def __init__(self, value, rest=None):\n        self.value, self.rest = value, rest"),
            Solution("def push(rest, value):\n    return Node(value, rest)"),
            "node = push(Node(1), 2)\nassert node.value == 2 and node.rest.value == 1",
        ],
        "a class of set-up that only tests use": [
            Given("class Node:\n    def __init__(self, value, rest=None):\n        self.value, self.rest = value, rest"),
            Solution("def length(node):\n    return 0 if node is None else 1 + length(node.rest)"),
            "assert length(Node(1, Node(2))) == 2",
        ],
        "magics in set-up": [
            plain("%matplotlib inline\n%load_ext autoreload\nimport math"),
            SQUARE,
            "%matplotlib inline\nassert math.sqrt(square(3)) == 3",
        ],
        "a test that is timed": [SQUARE, "%%time\nassert square(3) == 9"],
        "a plot in a test": [SQUARE, "import matplotlib.pyplot as plt\nplt.plot([square(1), 2])\nplt.show()\ndisplay(3)\nassert square(1) == 1"],
        "names in strings": [SQUARE, "assert 'square' in globals() and 'cube' not in globals()\nassert eval('square(3)') == 9"],
        "a missing name that is looked for": [SQUARE, "try:\n    cube\nexcept NameError:\n    pass\nelse:\n    raise AssertionError"],
        "the solution imports again": [
            Given("import numpy as np"),
            Solution("import numpy as np\ndef f():\n    return np.arange(3)"),
            "np.testing.assert_allclose(f(), [0, 1, 2])",
        ],
        "printed output": [
            Solution("def greet(name):\n    print('Hello', name)\n    print('there')"),
            "import io, contextlib\nout = io.StringIO()\nwith contextlib.redirect_stdout(out):\n"
            "    greet('Ann')\nassert out.getvalue() == 'Hello Ann\\nthere\\n'",
        ],
        "printed output, by hand": [
            Solution("def greet(name):\n    print('Hello', name)"),
            "import io, sys\nold = sys.stdout\nsys.stdout = io.StringIO()\ntry:\n    greet('Ann')\n    said = sys.stdout.getvalue()\n"
            "finally:\n    sys.stdout = old\nassert said.strip() == 'Hello Ann'",
        ],
        "printed output before an error": [
            Solution("def f():\n    print('begun')\n    raise ValueError('no')"),
            "import io, contextlib\nout = io.StringIO()\ntry:\n    with contextlib.redirect_stdout(out):\n"
            "        f()\nexcept ValueError:\n    pass\nassert out.getvalue() == 'begun\\n'",
        ],
        "captured by IPython": [
            Solution("def greet():\n    print('hi')"),
            "from IPython.utils.capture import capture_output\nwith capture_output() as c:\n    greet()\nassert c.stdout == 'hi\\n'",
        ],
        "a captured cell": [Solution("def greet():\n    print('hi')"), "%%capture out\ngreet()", "assert out.stdout == 'hi\\n'"],
        "print is mocked": [
            Solution("def greet():\n    print('hi')"),
            "from unittest.mock import patch\nimport io\nwith patch('sys.stdout', new_callable=io.StringIO) as out:\n"
            "    greet()\n    assert out.getvalue() == 'hi\\n'",
        ],
        "input is mocked": [
            Solution("def ask():\n    return int(input('how many? ')) + int(input())"),
            "from unittest import mock\nwith mock.patch('builtins.input', side_effect=['3', '4']) as asked:\n    assert ask() == 7\n"
            "assert asked.call_count == 2 and asked.call_args_list[0].args == ('how many? ',)",
        ],
        "input is replaced": [
            Solution("def ask():\n    return input()"),
            "import builtins\nold = builtins.input\nbuiltins.input = lambda prompt='': 'me'\n"
            "try:\n    assert ask() == 'me'\nfinally:\n    builtins.input = old",
        ],
        "input of the notebook is replaced": [
            Solution("def ask():\n    return input('?')"),
            "answers = iter(['a', 'b'])\ninput = lambda prompt: next(answers)\nassert ask() + ask() == 'ab'",
        ],
        "input that ends": [
            Solution("def ask():\n    try:\n        return input()\n    except EOFError:\n        return 'end'"),
            "from unittest import mock\nwith mock.patch('builtins.input', side_effect=EOFError):\n    assert ask() == 'end'",
        ],
        "a seed": [
            Solution("import random\ndef roll():\n    return random.randint(1, 6)"),
            "import random\nrandom.seed(3)\nfirst = [roll(), roll()]\nrandom.seed(3)\nassert first == [random.randint(1, 6), random.randint(1, 6)]\n"
            "random.seed(3)\nassert roll() == first[0] and roll() == first[1]",
        ],
        "a seed of numpy": [
            Solution("import numpy as np\ndef draw(n):\n    return np.random.normal(size=n)"),
            "import numpy as np\nnp.random.seed(1)\nwanted = np.random.normal(size=3)\nnp.random.seed(1)\n"
            "assert np.allclose(draw(3), wanted)\nnp.random.seed(1)\nassert np.allclose(draw(3), wanted)",
        ],
        "a list that the function sorts": [
            Solution("def order(xs):\n    xs.sort()"),
            "xs = [3, 1, 2]\nalias = xs\nassert order(xs) is None and alias == [1, 2, 3]",
        ],
        "an array that the function clips": [
            Solution("def clip(a):\n    a[a < 0] = 0\n    return a"),
            "import numpy as np\na = np.array([-1.0, 2.0])\nclip(a)\nassert a.tolist() == [0, 2]",
        ],
        "rows of a grid": [
            Solution("def fill(grid, v):\n    for row in grid:\n        for j in range(len(row)):\n            row[j] = v"),
            "row = [1, 2]\nfill([row, [3]], 7)\nassert row == [7, 7]",
        ],
        "through another function": [
            Solution("def swap(xs, i, j):\n    xs[i], xs[j] = xs[j], xs[i]\ndef flip(xs):\n    swap(xs, 0, -1)"),
            "xs = [1, 2, 3]\nflip(xs=xs)\nassert xs == [3, 2, 1]",
        ],
        "a memory of the notebook": [
            Solution("memo = {}\ndef fib(n):\n    if n not in memo:\n        memo[n] = n if n < 2 else fib(n - 1) + fib(n - 2)\n    return memo[n]"),
            "assert fib(10) == 55\nassert memo[5] == 5",
        ],
        "a counter of the notebook": [
            Solution("count = 0\ndef tick():\n    global count\n    count += 1"),
            "tick(); tick()\nassert count == 2\ncount = 10\ntick()\nassert count == 11",
        ],
        "a log that the test clears": [
            Solution("log = []\ndef note(x):\n    log.append(x)\n    return len(log)\nnote(0)"),
            "log.clear()\nassert note('again') == 1\nassert log == ['again']",
        ],
        "a function that notes its calls": [
            Solution("def twice(f):\n    return f(1) + f(2)"),
            "calls = []\ndef watched(x):\n    calls.append(x)\n    return x\nassert twice(watched) == 3\nassert calls == [1, 2]",
        ],
        "a function that counts, by closure": [
            Solution("def twice(f):\n    return f() + f()"),
            "def counter():\n    n = 0\n    def tick():\n        nonlocal n\n        n += 1\n"
            "        return n\n    return tick\nassert twice(counter()) == 3",
        ],
        "a function that fails at first": [
            Solution(
                "def retry(f, n):\n    for i in range(n):\n        try:\n            return f()\n"
                "        except OSError:\n            if i == n - 1:\n                raise"
            ),
            "tries = []\ndef flaky():\n    tries.append(1)\n    if len(tries) < 3:\n        raise OSError('again')\n"
            "    return 'ok'\nassert retry(flaky, 5) == 'ok' and len(tries) == 3",
        ],
        "a student's decorator around it": [
            Solution(
                "def memoise(f):\n    cache = {}\n    def g(x):\n        if x not in cache:\n"
                "            cache[x] = f(x)\n        return cache[x]\n    return g"
            ),
            "calls = []\n@memoise\ndef slow(x):\n    calls.append(x)\n    return x * x\nassert slow(3) == slow(3) == 9 and calls == [3]",
        ],
        "a mock as argument": [
            Solution("def call(f):\n    return f(1, key='x')"),
            "from unittest.mock import Mock\nf = Mock(return_value=5)\nassert call(f) == 5\nf.assert_called_once_with(1, key='x')",
        ],
        "a module's function is mocked": [
            Solution("import random\ndef roll(n):\n    return [random.randint(1, 6) for _ in range(n)]"),
            "from unittest import mock\nwith mock.patch('random.randint', return_value=6) as r:\n    assert roll(2) == [6, 6]\n"
            "assert r.call_count == 2\nassert all(1 <= x <= 6 for x in roll(40)) and len(set(roll(40))) > 1",
        ],
        "a module's function is replaced": [
            Solution("import random\ndef roll(n):\n    return [random.randint(1, 6) for _ in range(n)]"),
            "import random\nkept = random.randint\nrandom.randint = lambda a, b: 4\ntry:\n    assert roll(2) == [4, 4]\n"
            "finally:\n    random.randint = kept\nassert len(set(roll(40))) > 1",
        ],
        "a mock of the notebook's function": [
            SQUARE,
            Solution("def cube(x):\n    return square(x) * x"),
            "from unittest.mock import patch\nwith patch('__main__.square', return_value=5) as s:\n"
            "    assert cube(2) == 10\n    s.assert_called_with(2)\nassert cube(2) == 8",
        ],
        "two test cells, one in the middle": [Solution("x = 1"), "kept = x", Solution("x = 2"), "assert (kept, x) == (1, 2)"],
    }
)


@pytest.mark.parametrize("parts", LIKE_STOCK.values(), ids=LIKE_STOCK.keys())
def test_the_instructors_solution_gets_everything(verdicts, parts: list) -> None:
    found = verdicts(parts)
    assert [(verdict.kind, verdict.message) for verdict in found] == [("passed", "")] * len(found)


@pytest.mark.slow
@pytest.mark.parametrize("parts", LIKE_STOCK.values(), ids=LIKE_STOCK.keys())
def test_stock_gives_the_instructors_solution_the_same(parts: list) -> None:
    """What is claimed above of nbgrader's own step: the cells of one notebook in one IPython shell."""
    process = multiprocessing.get_context("fork").Process(target=_run_in_one_shell, args=(build(*parts),))
    process.start()  # a copy of this one, which what the cells set ends with
    process.join()
    assert process.exitcode == 0


def _run_in_one_shell(notebook: NotebookNode) -> None:
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell(user_module=types.ModuleType("__main__"))
    for cell in notebook.cells:
        source = "\n".join(line for line in cell.source.split("\n") if not line.startswith(("%matplotlib", "%load_ext")))
        assert shell.run_cell(source).success, cell.source


NOT_SOLVED = [
    name
    for name, parts in LIKE_STOCK.items()
    if SQUARE in parts
    and name not in ("a missing name that is looked for", "what a failed test deleted stays deleted", "a def in place of a student's function")
]


@pytest.mark.parametrize("name", NOT_SOLVED)
def test_an_empty_answer_gets_nothing_in_the_last_test(verdicts, name: str) -> None:
    parts = LIKE_STOCK[name]
    answers = [EMPTY if part is SQUARE else part.source for part in parts if isinstance(part, Solution)]
    assert verdicts(parts, *answers)[-1].points == 0
