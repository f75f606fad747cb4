"""What does not travel over the wire: answers and tests that pass beside the student's code, each with an answer that is wrong."""

TENSOR = """
import torch

class Layer(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(n))

    def forward(self, x):
        return x * self.weight

class Steps:
    def __init__(self, params, rate):
        self.params, self.rate = list(params), rate

    def step(self):
        with torch.no_grad():
            for one in self.params:
                one -= self.rate * one.grad

    def zero_grad(self):
        for one in self.params:
            one.grad = None
"""

UNTRAVELLED = {
    "an optimizer that changes the test's parameters": (
        TENSOR,
        """
first = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
steps = Steps([first], 0.5)
(first * first).sum().backward()
steps.step()
assert torch.allclose(first.detach(), torch.zeros(2))
assert steps.params[0] is first
steps.zero_grad()
assert first.grad is None
""",
        TENSOR.replace("one -= self.rate * one.grad", "one -= one.grad"),
    ),
    "a library's class in a student's network": (
        TENSOR,
        """
layer = Layer(2)
assert isinstance(layer, torch.nn.Module) and isinstance(layer.weight, torch.nn.Parameter)
optimizer = torch.optim.SGD(layer.parameters(), lr=1.0)
loss = layer(torch.tensor([1.0, 3.0])).sum()
loss.backward()
optimizer.step()
assert torch.equal(layer.weight.detach(), torch.tensor([0.0, -2.0])), "one step"
assert [tuple(one.shape) for one in layer.parameters()] == [(2,)]
""",
        TENSOR.replace("x * self.weight", "x + self.weight"),
    ),
    "identity": (
        "def same(x):\n    return x\nclass Box:\n    def __init__(self, thing):\n        self.thing = thing\ncache = {}",
        "import re\npattern = re.compile('a')\nassert same(pattern) is pattern and Box(pattern).thing is pattern\ncache['x'] = pattern\nassert cache['x'] is pattern",
        "import copy\ndef same(x):\n    return [x]\nclass Box:\n    def __init__(self, thing):\n        self.thing = None\ncache = {}",
    ),
    "what a test sets of a module is what the student's code finds": (
        "import time\ndef wait():\n    time.sleep(3)\n    return time.time()",
        "import time\nfrom unittest import mock\nwith mock.patch('time.sleep') as slept, mock.patch('time.time', return_value=7):\n    assert wait() == 7\nslept.assert_called_once_with(3)",
        "import time\ndef wait():\n    time.sleep(2)\n    return time.time()",
    ),
    "names of the notebook": (
        "import numpy as np\ndef square(x):\n    return x * x\nvector = np.arange(3)",
        "assert 'square' in globals() and callable(globals()['square'])\nassert eval('square(3)') == 9\nassert 'vector' in get_ipython().user_ns\nassert any('square' in one for one in In)",
        "vector = None",
    ),
    "functions of the test's that the student's code calls": (
        "def apply(f, xs):\n    return [f(x) for x in xs]\ndef first(items):\n    return next(iter(items))",
        "calls = []\ndef f(x):\n    calls.append(x)\n    return x + 1\nassert apply(f, [1, 2]) == [2, 3] and calls == [1, 2]\nassert first(x * 2 for x in [4, 5]) == 8\nassert apply(lambda v: v * 10, (1,)) == [10]",
        "def apply(f, xs):\n    return xs\ndef first(items):\n    return None",
    ),
    "a class of the test's that is derived from a student's": (
        "class Base:\n    def __init__(self, n):\n        self.n = n\n    def run(self):\n        return self.n + self.more()\n    def more(self):\n        raise NotImplementedError",
        "class Mine(Base):\n    def __init__(self, n):\n        super().__init__(n * 2)\n    def more(self):\n        return 1\nm = Mine(3)\nassert m.run() == 7 and isinstance(m, Base) and m.n == 6",
        "class Base:\n    def __init__(self, n):\n        self.n = n\n    def run(self):\n        return self.n",
    ),
    "unittest": (
        "class Stack:\n    def __init__(self):\n        self.items = []\n    def push(self, x):\n        self.items.append(x)\n    def pop(self):\n        if not self.items:\n            raise IndexError('empty')\n        return self.items.pop()",
        "import unittest\nclass TestStack(unittest.TestCase):\n    def test_push(self):\n        s = Stack()\n        s.push(4)\n        self.assertEqual(s.pop(), 4)\n        self.assertIsInstance(s, Stack)\n    def test_empty(self):\n        with self.assertRaises(IndexError):\n            Stack().pop()\n        self.assertRaises(IndexError, Stack().pop)\nsuite = unittest.defaultTestLoader.loadTestsFromTestCase(TestStack)\nresult = unittest.TextTestRunner(stream=open('/dev/null', 'w')).run(suite)\nassert result.wasSuccessful() and result.testsRun == 2",
        "class Stack:\n    def __init__(self):\n        self.items = []\n    def push(self, x):\n        self.items.append(x)\n    def pop(self):\n        return 4",
    ),
    "pytest": (
        "def root(x):\n    if x < 0:\n        raise ValueError('negative: %s' % x)\n    return x ** 0.5",
        "import pytest\nwith pytest.raises(ValueError, match='negative'):\n    root(-1)\nassert root(2) == pytest.approx(1.41421356)\nwith pytest.raises(ValueError) as caught:\n    root(-4)\nassert '-4' in str(caught.value)\ntry:\n    root(-9)\nexcept ValueError as error:\n    assert error.args == ('negative: -9',)\nelse:\n    assert False",
        "def root(x):\n    if x < 0:\n        raise TypeError('negative')\n    return x ** 0.5",
    ),
    "what is printed": (
        "def greet(name):\n    print(f'hello {name}')",
        "import io, contextlib\nheard = io.StringIO()\nwith contextlib.redirect_stdout(heard):\n    greet('Ada')\nassert heard.getvalue() == 'hello Ada\\n'\nprint('well done')",
        "def greet(name):\n    print('hello')",
    ),
    "names that the test sets and the student's code reads": (
        "rate = 2\ndef scaled(x):\n    return x * rate",
        "rate = 5\nassert scaled(2) == 10\nimport random\nrandom.seed(3)\na = random.random()\nrandom.seed(3)\nassert random.random() == a",
        "def scaled(x):\n    return x * 2",
    ),
    "statements of all kinds": (
        "def numbers(n):\n    return list(range(n))",
        "total, *rest = numbers(4)\nassert total == 0 and rest == [1, 2, 3]\nd = {k: v for k, v in zip('ab', numbers(2))}\nd['c'] = 7\nd['a'] += 3\ndel d['b']\nassert d == {'a': 3, 'c': 7}\nassert all(0 <= x < 4 for x in numbers(4)) and not any(x > 3 for x in numbers(4))\nx = [i ** 2 for i in numbers(3) if i % 2 == 0 or i > 5]\nassert x == [0, 4], f'{x!r:>10}'\nwhile total < 3:\n    total += 1\nassert (lambda a, b=2: a + b)(total) == 5 and -total == -3 and (total if rest else 0) == 3\ndef helper(*xs, **more):\n    global counted\n    counted = len(xs) + len(more)\n    return sum(xs)\nassert helper(*numbers(3), z=1) == 3 and counted == 4\nassert {1, 2} | set(numbers(2)) == {0, 1, 2} and numbers(5)[1:3] == [1, 2] and max(numbers(3)) == 2\nmatch numbers(2):\n    case [a, b]:\n        assert (a, b) == (0, 1)\nassert sorted(numbers(3), key=lambda v: -v) == [2, 1, 0] and list(map(str, numbers(2))) == ['0', '1']",
        "def numbers(n):\n    return [0] * n",
    ),
    "a library's table": (
        "import pandas as pd\ndef clean(frame):\n    return frame.dropna().rename(columns=str.lower)",
        "import pandas as pd\nframe = pd.DataFrame({'A': [1.0, None, 3.0], 'B': list('xyz')})\nfound = clean(frame)\nassert list(found.columns) == ['a', 'b'] and len(found) == 2 and found['a'].sum() == 4\npd.testing.assert_frame_equal(found.reset_index(drop=True), pd.DataFrame({'a': [1.0, 3.0], 'b': ['x', 'z']}))\nassert frame.shape == (3, 2)",
        "def clean(frame):\n    return frame.rename(columns=str.lower)",
    ),
    "figures": (
        "import matplotlib.pyplot as plt\ndef draw():\n    figure, axes = plt.subplots()\n    axes.plot([1, 2], [3, 4], label='line')\n    axes.set_title('numbers')\n    axes.legend()\n    return axes",
        "axes = draw()\nassert axes.get_title() == 'numbers' and len(axes.lines) == 1\nassert list(axes.lines[0].get_ydata()) == [3, 4]\nimport matplotlib.pyplot as plt\nassert plt.gca() is axes and isinstance(axes, plt.Axes)",
        "import matplotlib.pyplot as plt\ndef draw():\n    return plt.subplots()[1]",
    ),
    "random numbers": (
        "import numpy as np\ndef draw(n):\n    np.random.seed(1)\n    return np.random.rand(n)\ndef with_generator(rng):\n    return rng.normal(size=2)",
        "import numpy as np\nnp.random.seed(1)\nwanted = np.random.rand(3)\nassert np.array_equal(draw(3), wanted)\na, b = np.random.default_rng(5), np.random.default_rng(5)\nassert np.allclose(with_generator(a), b.normal(size=2)) and a.random() == b.random()",
        "import numpy as np\ndef draw(n):\n    return np.random.rand(n)\ndef with_generator(rng):\n    return np.zeros(2)",
    ),
    "a magic": ("def square(x):\n    return x * x", "%time x = square(3)\nassert x == 9", "def square(x):\n    return x"),
}
