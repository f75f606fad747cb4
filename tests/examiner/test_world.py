"""The world of a test cell: whose each name is, what the instructor's folder gives, and what a test sets for the student's functions.

Each case is a notebook: `given(...)` is a cell of the instructor's, `solution(...)` the student's to write, a test cell has a
number. The instructor's own solution earns everything, as it does with nbgrader's own step.
"""

from __future__ import annotations

import types

import pytest

from .instructors import EMPTY, SQUARE, Given, Solution, build, plain

COUNT = Solution("def count(path):\n    with open(path) as file:\n        return len(file.readlines())")
SAVE = Solution("import json\ndef save(path, value):\n    with open(path, 'w') as file:\n        json.dump(value, file)")
BAG = Solution(
    "class Bag:\n    def __init__(self, items=None):\n        self.items = [] if items is None else items\n        self.info = {'n': [0]}\n"
    "    def add(self, x):\n        self.items.append(x)\n    def given(self):\n        return self.items\n"
    "    def copied(self):\n        return list(self.items)\n    def size(self):\n        return len(self.items)\n"
    "    def total(self):\n        return sum(self.items)")
NET = Solution(
    "import torch\nfrom torch import nn\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self.layer = nn.Linear(1, 1)\n    def forward(self, x):\n        return self.layer(x)")
DRAW = Solution("def draw(rng):\n    return rng.normal()")
TRAIN = Solution(
    "import torch\ndef train(net, x, y):\n    steps = torch.optim.SGD(net.parameters(), lr=0.3)\n    for _ in range(100):\n"
    "        steps.zero_grad()\n        ((net(x) - y) ** 2).mean().backward()\n        steps.step()")
PERSON = Solution(
    "from dataclasses import dataclass, field\nfrom typing import ClassVar\n@dataclass\nclass Person:\n    name: str\n    age: int = 3\n"
    "    marks: list = field(default_factory=list)\n    count: ClassVar[int] = 0")
LIKE_STOCK = {
    "test cells share names": [SQUARE, "import math\nfour = square(2)", "assert math.isclose(four, 4)"],
    "a helper of an earlier test": [SQUARE, "def check(n, wanted):\n    assert square(n) == wanted\ncheck(1, 1)", "check(3, 9)"],
    "a test's name is the student's again": [
        Solution("x = 1"), "x = x + 1\nassert x == 2", Solution("x = 10"), "assert x == 10"],
    "quickstart": [
        SQUARE, Solution("def cube(x):\n    return square(x) * x"),
            "orig = square\ndel square\ntry:\n    cube(1)\nexcept NameError:\n    pass\n"
            "else:\n    raise AssertionError\nfinally:\n    square = orig",
        "assert cube(3) == 27"],
    "what a failed test deleted stays deleted": [
        SQUARE, Solution("def cube(x):\n    return square(x) * x"),
            "orig = square\ndel square\ntry:\n    cube(1)\n"
            "except NameError:\n    pass",
        "try:\n    cube(1)\nexcept NameError:\n    pass\nelse:\n    raise AssertionError"],
    "a mock in place of a student's function": [
        SQUARE, Solution("def cube(x):\n    return square(x) * x"),
            "real = square\nsquare = lambda x: 100\nassert cube(2) == 200\n"
            "square = real\nassert cube(2) == 8"],
    "a def in place of a student's function": [
        SQUARE, Solution("def cube(x):\n    return square(x) * x"), "def square(x):\n    return 7\nassert cube(2) == 14"],
    "a global that the test sets": [Solution("def solve():\n    return sum(map(sum, grid))"), "grid = [[1, 2], [3]]\nassert solve() == 6"],
    "a global that the test changes in place": [
        Solution("grid = [[1]]\ndef solve():\n    return sum(map(sum, grid))"),
            "grid[0][0] = 5\nassert solve() == 5\ngrid.append([2])\n"
            "assert solve() == 7"],
    "a global set by a function of the test": [
        Solution("level = 1\ndef f():\n    return level * 2"), "def setup():\n    global level\n    level = 21\nsetup()\nassert f() == 42"],
    "a global that a loop sets": [Solution("def f():\n    return n + 1"), "for n in range(4):\n    assert f() == n + 1"],
    "a global of an earlier test": [Solution("def f():\n    return n + 1"), "n = 1\nassert f() == 2", "assert f() == 2"],
    "imports of a set-up cell": [Given(
        "import numpy as np\n"
        "from math import pi, sin as sine"), SQUARE, "assert np.allclose(square(np.ones(2)), 1) and sine(pi) < 1e-9"],
    "star imports": [Given("from math import *\nfrom numpy.testing import *"), SQUARE, "assert_allclose(square(sqrt(2)), 2)"],
    "a helper that uses the student's name": [Given("def check_all():\n    assert square(3) == 9"), SQUARE, "check_all()"],
    "a helper that uses a helper": [Given(
        "K = 3\ndef three(): return K\ndef check(f):\n"
        "    assert f(three()) == 9"), SQUARE, "check(square)"],
    "a helper that a later cell replaces": [Given("def check(f): assert False"), SQUARE, Given("def check(f): assert f(2) == 4"), "check(square)"],
    "a conditional import": [Given(
        "try:\n    import no_such_module as m\n"
        "except ImportError:\n    m = None"), SQUARE, "assert m is None and square(2) == 4"],
    "a wrapped helper": [
        Given(
            "import functools\ndef twice(f):\n    @functools.wraps(f)\n    def g(*a):\n        f(*a); f(*a)\n"
            "    return g\n@twice\ndef check(f):\n    assert f(2) == 4"),
        SQUARE, "check(square)"],
    "a class of checks": [Given(
        "class Checker:\n    def __init__(self, f): self.f = f\n"
        "    def run(self): assert self.f(2) == 4"), SQUARE, "Checker(square).run()"],
    "an alias": [Given("import numpy as np\ncheck = np.testing.assert_allclose"), SQUARE, "check(square(3), 9)"],
    "unittest": [Given("import unittest\ntc = unittest.TestCase()"), SQUARE,
        "tc.assertEqual(square(3), 9)\nwith tc.assertRaises(TypeError):\n"
        "    square('x')"],
    "plain data": [plain("cases = {1: 1, 2: 4}\nlimit = max(cases)"), SQUARE,
        "for n, wanted in cases.items():\n    assert square(n) == wanted\n"
        "assert limit == 2"],
    "data that set-up grows": [plain(
        "cases = []\nfor n in range(3):\n"
        "    cases.append(n)"), SQUARE, "assert [square(n) for n in cases] == [0, 1, 4]"],
    "data that the student changes": [plain("stack = []"), Solution("def push(x):\n    stack.append(x)\npush(3)"), "assert stack == [3]"],
    "data that the student rebinds": [plain("total = 0"), Solution("total = total + 5"), "assert total == 5"],
    "data from the student's function": [SQUARE, plain("nine = square(3)"), "assert nine == 9"],
    "random data": [plain(
        "import random\n"
        "xs = [random.random() for _ in range(3)]"), Solution("total = sum(xs)"), "assert total == sum(xs)"],
    "a stub in a plain cell is the student's": [plain("def f(x):\n    pass"), Solution("def f(x):\n    return x"), "assert f(1) == 1"],
    "a class of set-up that both use": [
        Given("class Node:\n    def __init__(self, value, rest=None):\n        self.value, self.rest = value, rest"),
        Solution("def push(rest, value):\n    return Node(value, rest)"),
            "node = push(Node(1), 2)\n"
            "assert node.value == 2 and node.rest.value == 1"],
    "a class of set-up that only tests use": [
        Given("class Node:\n    def __init__(self, value, rest=None):\n        self.value, self.rest = value, rest"),
        Solution("def length(node):\n    return 0 if node is None else 1 + length(node.rest)"), "assert length(Node(1, Node(2))) == 2"],
    "magics in set-up": [plain(
        "%matplotlib inline\n%load_ext autoreload\n"
        "import math"), SQUARE, "%matplotlib inline\nassert math.sqrt(square(3)) == 3"],
    "a test that is timed": [SQUARE, "%%time\nassert square(3) == 9"],
    "a plot in a test": [SQUARE,
        "import matplotlib.pyplot as plt\nplt.plot([square(1), 2])\n"
        "plt.show()\ndisplay(3)\nassert square(1) == 1"],
    "names in strings": [SQUARE, "assert 'square' in globals() and 'cube' not in globals()\nassert eval('square(3)') == 9"],
    "a missing name that is looked for": [SQUARE, "try:\n    cube\nexcept NameError:\n    pass\nelse:\n    raise AssertionError"],
    "the solution imports again": [Given("import numpy as np"), Solution(
        "import numpy as np\ndef f():\n"
        "    return np.arange(3)"), "np.testing.assert_allclose(f(), [0, 1, 2])"],
    "printed output": [
        Solution("def greet(name):\n    print('Hello', name)\n    print('there')"),
            "import io, contextlib\nout = io.StringIO()\nwith contextlib.redirect_stdout(out):\n"
            "    greet('Ann')\nassert out.getvalue() == 'Hello Ann\\nthere\\n'"],
    "printed output, by hand": [
        Solution("def greet(name):\n    print('Hello', name)"),
            "import io, sys\nold = sys.stdout\nsys.stdout = io.StringIO()\ntry:\n    greet('Ann')\n    said = sys.stdout.getvalue()\n"
            "finally:\n    sys.stdout = old\nassert said.strip() == 'Hello Ann'"],
    "printed output before an error": [
        Solution("def f():\n    print('begun')\n    raise ValueError('no')"),
            "import io, contextlib\nout = io.StringIO()\ntry:\n    with contextlib.redirect_stdout(out):\n"
            "        f()\nexcept ValueError:\n    pass\nassert out.getvalue() == 'begun\\n'"],
    "captured by IPython": [
        Solution("def greet():\n    print('hi')"),
            "from IPython.utils.capture import capture_output\nwith capture_output() as c:\n"
            "    greet()\nassert c.stdout == 'hi\\n'"],
    "a captured cell": [Solution("def greet():\n    print('hi')"), "%%capture out\ngreet()", "assert out.stdout == 'hi\\n'"],
    "print is mocked": [
        Solution("def greet():\n    print('hi')"),
            "from unittest.mock import patch\nimport io\nwith patch('sys.stdout', new_callable=io.StringIO) as out:\n"
            "    greet()\n    assert out.getvalue() == 'hi\\n'"],
    "input is mocked": [
        Solution("def ask():\n    return int(input('how many? ')) + int(input())"),
            "from unittest import mock\nwith mock.patch('builtins.input', side_effect=['3', '4']) as asked:\n    assert ask() == 7\n"
            "assert asked.call_count == 2 and asked.call_args_list[0].args == ('how many? ',)"],
    "input is replaced": [
        Solution("def ask():\n    return input()"),
            "import builtins\nold = builtins.input\nbuiltins.input = lambda prompt='': 'me'\n"
            "try:\n    assert ask() == 'me'\nfinally:\n    builtins.input = old"],
    "input of the notebook is replaced": [Solution("def ask():\n    return input('?')"),
        "answers = iter(['a', 'b'])\ninput = lambda prompt: next(answers)\n"
        "assert ask() + ask() == 'ab'"],
    "input that ends": [
        Solution("def ask():\n    try:\n        return input()\n    except EOFError:\n        return 'end'"),
        "from unittest import mock\nwith mock.patch('builtins.input', side_effect=EOFError):\n    assert ask() == 'end'"],
    "a seed": [
        Solution("import random\ndef roll():\n    return random.randint(1, 6)"),
            "import random\nrandom.seed(3)\nfirst = [roll(), roll()]\nrandom.seed(3)\nassert first == [random.randint(1, 6), random.randint(1, 6)]\n"
            "random.seed(3)\nassert roll() == first[0] and roll() == first[1]"],
    "a seed of numpy": [
        Solution("import numpy as np\ndef draw(n):\n    return np.random.normal(size=n)"),
            "import numpy as np\nnp.random.seed(1)\nwanted = np.random.normal(size=3)\nnp.random.seed(1)\n"
            "assert np.allclose(draw(3), wanted)\nnp.random.seed(1)\nassert np.allclose(draw(3), wanted)"],
    "a list that the function sorts": [Solution("def order(xs):\n    xs.sort()"),
        "xs = [3, 1, 2]\nalias = xs\n"
        "assert order(xs) is None and alias == [1, 2, 3]"],
    "an array that the function clips": [Solution("def clip(a):\n    a[a < 0] = 0\n    return a"),
        "import numpy as np\na = np.array([-1.0, 2.0])\n"
        "clip(a)\nassert a.tolist() == [0, 2]"],
    "rows of a grid": [
        Solution(
            "def fill(grid, v):\n    for row in grid:\n        for j in range(len(row)):\n"
            "            row[j] = v"), "row = [1, 2]\nfill([row, [3]], 7)\nassert row == [7, 7]"],
    "through another function": [
        Solution(
            "def swap(xs, i, j):\n    xs[i], xs[j] = xs[j], xs[i]\n"
            "def flip(xs):\n    swap(xs, 0, -1)"), "xs = [1, 2, 3]\nflip(xs=xs)\nassert xs == [3, 2, 1]"],
    "a memory of the notebook": [
        Solution(
            "memo = {}\ndef fib(n):\n    if n not in memo:\n        memo[n] = n if n < 2 else fib(n - 1) + fib(n - 2)\n"
            "    return memo[n]"), "assert fib(10) == 55\nassert memo[5] == 5"],
    "a counter of the notebook": [Solution("count = 0\ndef tick():\n    global count\n    count += 1"),
        "tick(); tick()\nassert count == 2\ncount = 10\n"
        "tick()\nassert count == 11"],
    "a log that the test clears": [
        Solution(
            "log = []\ndef note(x):\n    log.append(x)\n"
            "    return len(log)\nnote(0)"), "log.clear()\nassert note('again') == 1\nassert log == ['again']"],
    "a function that notes its calls": [
        Solution("def twice(f):\n    return f(1) + f(2)"),
            "calls = []\ndef watched(x):\n    calls.append(x)\n    return x\n"
            "assert twice(watched) == 3\nassert calls == [1, 2]"],
    "a function that counts, by closure": [
        Solution("def twice(f):\n    return f() + f()"),
            "def counter():\n    n = 0\n    def tick():\n        nonlocal n\n        n += 1\n"
            "        return n\n    return tick\nassert twice(counter()) == 3"],
    "a function that fails at first": [
        Solution(
            "def retry(f, n):\n    for i in range(n):\n        try:\n            return f()\n"
            "        except OSError:\n            if i == n - 1:\n                raise"),
            "tries = []\ndef flaky():\n    tries.append(1)\n    if len(tries) < 3:\n        raise OSError('again')\n"
            "    return 'ok'\nassert retry(flaky, 5) == 'ok' and len(tries) == 3"],
    "a student's decorator around it": [
        Solution(
            "def memoise(f):\n    cache = {}\n    def g(x):\n        if x not in cache:\n"
            "            cache[x] = f(x)\n        return cache[x]\n    return g"),
        "calls = []\n@memoise\ndef slow(x):\n    calls.append(x)\n    return x * x\nassert slow(3) == slow(3) == 9 and calls == [3]"],
    "a mock as argument": [Solution("def call(f):\n    return f(1, key='x')"),
        "from unittest.mock import Mock\nf = Mock(return_value=5)\nassert call(f) == 5\n"
        "f.assert_called_once_with(1, key='x')"],
    "a module's function is mocked": [
        Solution("import random\ndef roll(n):\n    return [random.randint(1, 6) for _ in range(n)]"),
            "from unittest import mock\nwith mock.patch('random.randint', return_value=6) as r:\n    assert roll(2) == [6, 6]\n"
            "assert r.call_count == 2\nassert all(1 <= x <= 6 for x in roll(40)) and len(set(roll(40))) > 1"],
    "a module's function is replaced": [
        Solution("import random\ndef roll(n):\n    return [random.randint(1, 6) for _ in range(n)]"),
            "import random\nkept = random.randint\nrandom.randint = lambda a, b: 4\ntry:\n    assert roll(2) == [4, 4]\n"
            "finally:\n    random.randint = kept\nassert len(set(roll(40))) > 1"],
    "a mock of the notebook's function": [
        SQUARE, Solution("def cube(x):\n    return square(x) * x"),
            "from unittest.mock import patch\nwith patch('__main__.square', return_value=5) as s:\n"
            "    assert cube(2) == 10\n    s.assert_called_with(2)\nassert cube(2) == 8"],
    "an object that a function uses": [
        Given("import re"), Solution("digits = re.compile('[0-9]+')\ndef numbers(text):\n    return digits.findall(text)"),
            "assert digits.match('12') and not digits.match('a') and digits.fullmatch('1') is not None\nassert numbers('1 22') == ['1', '22']"],
    "a file that the test writes": [
        COUNT, "import os\nwith open('in.txt', 'w') as f:\n    f.write('a\\nb\\n')\nassert count('in.txt') == 2\n"
            "assert count(os.path.abspath('in.txt')) == 2\nos.remove('in.txt')\ntry:\n    count('in.txt')\n"
            "except FileNotFoundError:\n    pass\nelse:\n    raise AssertionError"],
    "a file in a folder that the test makes": [
        COUNT, "from pathlib import Path\nPath('made').mkdir()\nplace = Path('made') / 'a.txt'\nplace.write_text('x')\nassert count(place) == 1\n"
            "place.unlink()\nPath('made').rmdir()"],
    "a temporary file": [
        COUNT, "import os, tempfile\nwith tempfile.NamedTemporaryFile('w', suffix='.txt', delete=False) as f:\n    f.write('1\\n2\\n')\n"
            "assert count(f.name) == 2\nos.unlink(f.name)"],
    "a file that the function writes": [
        SAVE, "import json, os\nsave('out.json', [1])\nassert json.load(open('out.json')) == [1]\nsave('out.json', [2])\n"
            "assert json.load(open('out.json')) == [2] and os.path.exists('out.json')",
        "import os\nos.remove('out.json')"],
    "a file in a temporary folder": [
        SAVE, "import json, os, tempfile\nwith tempfile.TemporaryDirectory() as folder:\n    path = os.path.join(folder, 'x.json')\n"
            "    save(path, [3])\n    assert json.load(open(path)) == [3]"],
    "a file that a solution cell writes": [
        Solution("with open('report.txt', 'w') as f:\n    f.write('best')"),
        "import os\nassert os.path.exists('report.txt') and open('report.txt').read() == 'best'\nos.remove('report.txt')"],
    "a file that the function adds to": [
        Solution("def note(path, line):\n    with open(path, 'a') as f:\n        f.write(line)"),
        "import os\nopen('log.txt', 'w').write('a')\nnote('log.txt', 'b')\nassert open('log.txt').read() == 'ab'\nos.remove('log.txt')"],
    "an object's list that the test changes": [
        BAG, "bag = Bag()\nbag.items.append(1)\nassert bag.size() == 1 and bag.items == [1]\nbag.info['n'].append(2)",
        "assert bag.info == {'n': [0, 2]}\nbag.items[0] = 5\nassert bag.total() == 5"],
    "an object's list that the object changes": [
        BAG, "bag = Bag()\nitems = bag.items\nbag.add(4)\nassert items == [4] and items is bag.items"],
    "a list that a method gives away": [
        BAG, "bag = Bag()\nbag.given().append(1)\nassert bag.size() == 1\nbag.copied().append(1)\nassert bag.size() == 1"],
    "a list that the object keeps": [BAG, "xs = [1]\nbag = Bag(xs)\nxs.append(2)\nassert bag.size() == 2"],
    "weights that the test sets": [
        NET, "import torch\nnet = Net()\nwith torch.no_grad():\n    net.layer.weight.fill_(2.0)\n    net.layer.bias.zero_()\n"
            "assert net(torch.ones(1, 1)).item() == 2\nfor p in net.parameters():\n    p.data.fill_(3.0)\nassert net(torch.ones(1, 1)).item() == 6\n"
            "for name, p in net.named_parameters():\n    p.data.zero_()\nassert net(torch.ones(1, 1)).item() == 0"],
    "a generator of numpy's that the test passes": [
        DRAW, "import numpy as np\na, b = np.random.default_rng(9), np.random.default_rng(9)\nassert len({draw(a) for _ in range(20)}) == 20\n"
            "b.normal(size=20)\nassert a.normal() == b.normal()"],
    "a generator of Python's that the test passes": [
        Solution("def roll(r, n):\n    return [r.randint(1, 6) for _ in range(n)]"),
            "import random\na, b = random.Random(3), random.Random(3)\nassert roll(a, 2000) + roll(a, 5) == [b.randint(1, 6) for _ in range(2005)]\n"
            "assert a.random() == b.random()"],
    "a network that the test passes to be trained": [
        TRAIN, "import torch\nnet = torch.nn.Linear(1, 1)\nx = torch.linspace(-1, 1, 20).unsqueeze(1)\ntrain(net, x, 2 * x)\n"
            "assert abs(net.weight.item() - 2) < 0.1"],
    "gradients of the notebook": [
        Solution("import torch\nw = torch.tensor([1.0, -2.0], requires_grad=True)\n(w ** 2).sum().backward()"),
            "import torch\nassert w.requires_grad and torch.allclose(w.grad, torch.tensor([2.0, -4.0]))"],
    "the current figure": [
        Given("import matplotlib.pyplot as plt"),
        Solution("import matplotlib.pyplot as plt\ndef show(v):\n    plt.hist(v, bins=2)\n    plt.title('T')"),
            "plt.close('all')\nshow([1, 2, 3])\nassert [p.get_height() for p in plt.gca().patches] == [1, 2]\n"
            "assert plt.gca().get_title() == 'T' and len(plt.gcf().axes) == 1\nplt.close()\nassert plt.get_fignums() == []"],
    "the fields of a data class": [
        PERSON, "import dataclasses\nassert dataclasses.is_dataclass(Person)\n"
            "assert [(f.name, f.default) for f in dataclasses.fields(Person)][1] == ('age', 3) and len(dataclasses.fields(Person('x'))) == 3\n"
            "assert dataclasses.asdict(Person('a')) == {'name': 'a', 'age': 3, 'marks': []}\n"
            "older = dataclasses.replace(Person('c'), age=9)\nassert (older.name, older.age) == ('c', 9)"],
    "objects of the library": [
        Solution("import re\nfrom functools import partial\nfrom pathlib import Path\npaths = [Path('a/b.log')]\ndouble = partial(pow, 2)\n"
                 "def find(text):\n    return re.search('b+', text)"),
            "import re\nfrom functools import partial\nfrom pathlib import Path\nassert all(isinstance(p, Path) for p in paths)\n"
            "assert isinstance(double, partial) and double(3) == 8\nassert isinstance(find('abb'), re.Match) and find('abb')[0] == 'bb'\n"
            "assert not isinstance(find('b'), (Path, str, tuple))"],
    "an enumeration": [
        Solution("import enum\nclass Color(enum.Enum):\n    RED = 1\n    BLUE = 2"),
            "import enum\nassert issubclass(Color, enum.Enum) and isinstance(Color.RED, enum.Enum) and isinstance(Color.RED, Color)\n"
            "assert list(Color) == [Color.RED, Color.BLUE] and Color(1) is Color['RED'] and len(Color) == 2\n"
            "assert Color.RED.name == 'RED' and Color.RED != Color.BLUE and Color.BLUE in Color"],
    "two test cells, one in the middle": [Solution("x = 1"), "kept = x", Solution("x = 2"), "assert (kept, x) == (1, 2)"],
}


@pytest.mark.parametrize("parts", LIKE_STOCK.values(), ids=LIKE_STOCK.keys())
def test_the_instructors_solution_gets_everything(verdicts, parts: list) -> None:
    found = verdicts(parts)
    assert [(verdict.kind, verdict.message) for verdict in found] == [("passed", "")] * len(found)


@pytest.mark.parametrize("parts", LIKE_STOCK.values(), ids=LIKE_STOCK.keys())
def test_stock_gives_the_instructors_solution_the_same(parts: list) -> None:
    """What is claimed above of nbgrader's own step: the cells of one notebook in one IPython shell."""
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell(user_module=types.ModuleType("__main__"))
    for cell in build(*parts).cells:
        source = "\n".join(line for line in cell.source.split("\n") if not line.startswith(("%matplotlib", "%load_ext")))
        assert shell.run_cell(source).success, cell.source


NOT_SOLVED = [name for name, parts in LIKE_STOCK.items() if SQUARE in parts and name not in (
    "a missing name that is looked for", "what a failed test deleted stays deleted", "a def in place of a student's function")]


@pytest.mark.parametrize("name", NOT_SOLVED)
def test_an_empty_answer_gets_nothing_in_the_last_test(verdicts, name: str) -> None:
    parts = LIKE_STOCK[name]
    answers = [EMPTY if part is SQUARE else part.source for part in parts if isinstance(part, Solution)]
    assert verdicts(parts, *answers)[-1].points == 0
