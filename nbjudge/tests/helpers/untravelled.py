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
        """
def same(x):
    return x
class Box:
    def __init__(self, thing):
        self.thing = thing
cache = {}
""",
        """
import re
pattern = re.compile('a')
assert same(pattern) is pattern and Box(pattern).thing is pattern
cache['x'] = pattern
assert cache['x'] is pattern
""",
        """
import copy
def same(x):
    return [x]
class Box:
    def __init__(self, thing):
        self.thing = None
cache = {}
""",
    ),
    "what a test sets of a module is what the student's code finds": (
        """
import time
def wait():
    time.sleep(3)
    return time.time()
""",
        """
import time
from unittest import mock
with mock.patch('time.sleep') as slept, mock.patch('time.time', return_value=7):
    assert wait() == 7
slept.assert_called_once_with(3)
""",
        """
import time
def wait():
    time.sleep(2)
    return time.time()
""",
    ),
    "names of the notebook": (
        """
import numpy as np
def square(x):
    return x * x
vector = np.arange(3)
""",
        """
assert 'square' in globals() and callable(globals()['square'])
assert eval('square(3)') == 9
assert 'vector' in get_ipython().user_ns
assert any('square' in one for one in In)
""",
        "vector = None",
    ),
    "functions of the test's that the student's code calls": (
        """
def apply(f, xs):
    return [f(x) for x in xs]
def first(items):
    return next(iter(items))
""",
        """
calls = []
def f(x):
    calls.append(x)
    return x + 1
assert apply(f, [1, 2]) == [2, 3] and calls == [1, 2]
assert first(x * 2 for x in [4, 5]) == 8
assert apply(lambda v: v * 10, (1,)) == [10]
""",
        """
def apply(f, xs):
    return xs
def first(items):
    return None
""",
    ),
    "a class of the test's that is derived from a student's": (
        """
class Base:
    def __init__(self, n):
        self.n = n
    def run(self):
        return self.n + self.more()
    def more(self):
        raise NotImplementedError
""",
        """
class Mine(Base):
    def __init__(self, n):
        super().__init__(n * 2)
    def more(self):
        return 1
m = Mine(3)
assert m.run() == 7 and isinstance(m, Base) and m.n == 6
""",
        """
class Base:
    def __init__(self, n):
        self.n = n
    def run(self):
        return self.n
""",
    ),
    "unittest": (
        """
class Stack:
    def __init__(self):
        self.items = []
    def push(self, x):
        self.items.append(x)
    def pop(self):
        if not self.items:
            raise IndexError('empty')
        return self.items.pop()
""",
        """
import unittest
class TestStack(unittest.TestCase):
    def test_push(self):
        s = Stack()
        s.push(4)
        self.assertEqual(s.pop(), 4)
        self.assertIsInstance(s, Stack)
    def test_empty(self):
        with self.assertRaises(IndexError):
            Stack().pop()
        self.assertRaises(IndexError, Stack().pop)
suite = unittest.defaultTestLoader.loadTestsFromTestCase(TestStack)
result = unittest.TextTestRunner(stream=open('/dev/null', 'w')).run(suite)
assert result.wasSuccessful() and result.testsRun == 2
""",
        """
class Stack:
    def __init__(self):
        self.items = []
    def push(self, x):
        self.items.append(x)
    def pop(self):
        return 4
""",
    ),
    "pytest": (
        """
def root(x):
    if x < 0:
        raise ValueError('negative: %s' % x)
    return x ** 0.5
""",
        """
import pytest
with pytest.raises(ValueError, match='negative'):
    root(-1)
assert root(2) == pytest.approx(1.41421356)
with pytest.raises(ValueError) as caught:
    root(-4)
assert '-4' in str(caught.value)
try:
    root(-9)
except ValueError as error:
    assert error.args == ('negative: -9',)
else:
    assert False
""",
        """
def root(x):
    if x < 0:
        raise TypeError('negative')
    return x ** 0.5
""",
    ),
    "what is printed": (
        """
def greet(name):
    print(f'hello {name}')
""",
        """
import io, contextlib
heard = io.StringIO()
with contextlib.redirect_stdout(heard):
    greet('Ada')
assert heard.getvalue() == 'hello Ada\\n'
print('well done')
""",
        """
def greet(name):
    print('hello')
""",
    ),
    "names that the test sets and the student's code reads": (
        """
rate = 2
def scaled(x):
    return x * rate
""",
        """
rate = 5
assert scaled(2) == 10
import random
random.seed(3)
a = random.random()
random.seed(3)
assert random.random() == a
""",
        """
def scaled(x):
    return x * 2
""",
    ),
    "statements of all kinds": (
        """
def numbers(n):
    return list(range(n))
""",
        """
total, *rest = numbers(4)
assert total == 0 and rest == [1, 2, 3]
d = {k: v for k, v in zip('ab', numbers(2))}
d['c'] = 7
d['a'] += 3
del d['b']
assert d == {'a': 3, 'c': 7}
assert all(0 <= x < 4 for x in numbers(4)) and not any(x > 3 for x in numbers(4))
x = [i ** 2 for i in numbers(3) if i % 2 == 0 or i > 5]
assert x == [0, 4], f'{x!r:>10}'
while total < 3:
    total += 1
assert (lambda a, b=2: a + b)(total) == 5 and -total == -3 and (total if rest else 0) == 3
def helper(*xs, **more):
    global counted
    counted = len(xs) + len(more)
    return sum(xs)
assert helper(*numbers(3), z=1) == 3 and counted == 4
assert {1, 2} | set(numbers(2)) == {0, 1, 2} and numbers(5)[1:3] == [1, 2] and max(numbers(3)) == 2
match numbers(2):
    case [a, b]:
        assert (a, b) == (0, 1)
assert sorted(numbers(3), key=lambda v: -v) == [2, 1, 0] and list(map(str, numbers(2))) == ['0', '1']
""",
        """
def numbers(n):
    return [0] * n
""",
    ),
    "a library's table": (
        """
import pandas as pd
def clean(frame):
    return frame.dropna().rename(columns=str.lower)
""",
        """
import pandas as pd
frame = pd.DataFrame({'A': [1.0, None, 3.0], 'B': list('xyz')})
found = clean(frame)
assert list(found.columns) == ['a', 'b'] and len(found) == 2 and found['a'].sum() == 4
pd.testing.assert_frame_equal(found.reset_index(drop=True), pd.DataFrame({'a': [1.0, 3.0], 'b': ['x', 'z']}))
assert frame.shape == (3, 2)
""",
        """
def clean(frame):
    return frame.rename(columns=str.lower)
""",
    ),
    "figures": (
        """
import matplotlib.pyplot as plt
def draw():
    figure, axes = plt.subplots()
    axes.plot([1, 2], [3, 4], label='line')
    axes.set_title('numbers')
    axes.legend()
    return axes
""",
        """
axes = draw()
assert axes.get_title() == 'numbers' and len(axes.lines) == 1
assert list(axes.lines[0].get_ydata()) == [3, 4]
import matplotlib.pyplot as plt
assert plt.gca() is axes and isinstance(axes, plt.Axes)
""",
        """
import matplotlib.pyplot as plt
def draw():
    return plt.subplots()[1]
""",
    ),
    "random numbers": (
        """
import numpy as np
def draw(n):
    np.random.seed(1)
    return np.random.rand(n)
def with_generator(rng):
    return rng.normal(size=2)
""",
        """
import numpy as np
np.random.seed(1)
wanted = np.random.rand(3)
assert np.array_equal(draw(3), wanted)
a, b = np.random.default_rng(5), np.random.default_rng(5)
assert np.allclose(with_generator(a), b.normal(size=2)) and a.random() == b.random()
""",
        """
import numpy as np
def draw(n):
    return np.random.rand(n)
def with_generator(rng):
    return np.zeros(2)
""",
    ),
    "a magic": (
        """
def square(x):
    return x * x
""",
        """
%time x = square(3)
assert x == 9
""",
        """
def square(x):
    return x
""",
    ),
}
