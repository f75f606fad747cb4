"""Functions, generators and context managers of a student's, and what a test may do with them."""

from .sources import FUNCTION, LAZY, MANAGER, SHAPES

FUNCTIONS = {
    "what inspect says of a function": (
        FUNCTION,
        """
import inspect, types, typing
assert callable(area) and inspect.isfunction(area) and isinstance(area, types.FunctionType) and not inspect.isclass(area)
assert not inspect.ismethod(area) and inspect.isgeneratorfunction(count) and not inspect.isgeneratorfunction(area)
signature = inspect.signature(area)
assert list(signature.parameters) == ["width", "height", "rest", "unit", "more"]
assert signature.parameters["height"].default == 2.0 and signature.parameters["width"].default is inspect.Parameter.empty
assert signature.parameters["height"].annotation is float and signature.return_annotation is float
assert signature.parameters["rest"].kind is inspect.Parameter.VAR_POSITIONAL and str(inspect.signature(squares)) == "(n)"
assert inspect.getfullargspec(area).args == ["width", "height"] and inspect.getfullargspec(area).varkw == "more"
assert area.__name__ == "area" and area.__qualname__ == "area" and "rectangle" in area.__doc__
assert inspect.getdoc(area).startswith("The area")
assert area.__annotations__ == {"height": float, "return": float} and area.__defaults__ == (2.0,) and area.__kwdefaults__ == {"unit": "m"}
assert typing.get_type_hints(area)["return"] is float and area.__module__ == "__main__"
assert squares.__name__ == "<lambda>" and type(area).__name__ == "function" and type(area) is not type(area(1, 2))
""",
    ),
    "the code of a function": (
        FUNCTION,
        """
import ast, inspect, textwrap, dis
source = inspect.getsource(area)
assert source.startswith("def area(width") and "for _ in range(1)" in source and "while" not in source
tree = ast.parse(textwrap.dedent(source))
assert any(isinstance(node, ast.For) for node in ast.walk(tree)) and isinstance(tree.body[0], ast.FunctionDef)
assert inspect.getsourcelines(area)[0][0].startswith("def area") and "lambda n" in inspect.getsource(squares)
code = area.__code__
assert code.co_argcount == 2 and code.co_varnames[:5] == ("width", "height", "unit", "rest", "more") and code.co_kwonlyargcount == 1
assert "range" in code.co_names and code.co_name == "area" and "total" in code.co_varnames and 1 in code.co_consts
""",
    ),
    "truth and equality of functions and classes": (
        FUNCTION + SHAPES,
        """
assert area and bool(area) and Shape and area is not None and area != None and not area == None
assert area == area and area != squares and area in [squares, area] and squares not in (area, Shape) and area is area
assert Square == Square and Square != Shape and len({area, squares, area, Square}) == 3 and {area: 1}[area] == 1
""",
    ),
    "attributes of functions": (
        "def f(x):\n    f.calls += 1\n    return x\nf.calls = 0",
        """
f(1); f(2)
assert f.calls == 2 and hasattr(f, "calls") and not hasattr(f, "other")
f.calls = 10
f(1)
assert f.calls == 11
del f.calls
assert not hasattr(f, "calls")
""",
    ),
    "decorators": (
        """
import functools
def twice(f):
    @functools.wraps(f)
    def inner(*a, **k): return 2 * f(*a, **k)
    return inner
@twice
def plus(a, b=1):
    "Adds."
    return a + b
@functools.lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
add3 = functools.partial(plus, 3)
""",
        """
import inspect
assert plus(1) == 4 and plus.__name__ == "plus" and plus.__doc__ == "Adds." and plus.__wrapped__(1) == 2
assert list(inspect.signature(plus).parameters) == ["a", "b"]
@twice
def mine(x): return x + 1
assert mine(1) == 4 and mine.__name__ == "mine"
assert fib(30) == 832040 and fib.cache_info().hits > 0 and callable(fib) and callable(add3) and add3(4) == 14
fib.cache_clear()
assert fib.cache_info().currsize == 0 and add3.args == (3,) and list(inspect.signature(fib).parameters) == ["n"]
""",
    ),
    "closures": (
        "def counter():\n    n = 0\n    def step():\n        nonlocal n\n        n += 1\n        return n\n    return step",
        """
a, b = counter(), counter()
assert (a(), a(), b()) == (1, 2, 1) and callable(a) and a is not b and a.__code__.co_freevars == ("n",) and a.__name__ == "step"
""",
    ),
    "generators": (
        LAZY,
        """
import itertools, inspect, types, collections.abc
g = fibonacci()
assert next(g) == 0 and next(g) == 1 and next(g) == 1 and list(itertools.islice(g, 4)) == [2, 3, 5, 8]
assert inspect.isgenerator(g) and isinstance(g, types.GeneratorType) and iter(g) is g and isinstance(g, collections.abc.Iterator)
assert inspect.isgeneratorfunction(fibonacci)
assert list(itertools.takewhile(lambda n: n < 30, fibonacci())) == [0, 1, 1, 2, 3, 5, 8, 13, 21]
assert sum(itertools.islice(fibonacci(), 200)) > 10**40
for place, n in enumerate(fibonacci()):
    if place == 150: break
assert n == 9969216677189303386214405760200
f = few()
assert next(f) == 1 and next(f) == 2
try:
    next(f)
    assert False
except ValueError as error:
    assert "after two" in str(error)
assert next(f, "end") == "end" and list(zip(few(), "a")) == [(1, "a")]
e = echo()
assert next(e) == "ready" and e.send(4) == 8 and e.send("a") == "aa"
e.close()
try:
    next(e)
    assert False
except StopIteration: pass
assert list(Countdown(3)) == [3, 2, 1] and next(Countdown(5)) == 5 and sum(Countdown(4)) == 10 and max(Countdown(2)) == 2
c = Countdown(1); next(c)
try:
    next(c)
    assert False
except StopIteration: pass
assert next(evens()) == 0 and list(itertools.islice(evens(), 3)) == [0, 2, 4] and list(doubled([1, 2])) == [2, 4]
assert list(doubled(n for n in range(3))) == [0, 2, 4]
assert list(map(lambda n: n + 1, doubled([1]))) == [3] and isinstance(evens(), filter) == isinstance(evens(), filter)
assert iter(Countdown(2)) is not None
assert sum(1 for _ in itertools.islice(fibonacci(), 1000)) == 1000
""",
    ),
    "managers of contexts": (
        MANAGER,
        """
r = Recorder()
with r as inside:
    assert inside is r and r.log == ["in"]
assert r.log == ["in", "out"]
with r:
    raise KeyError("swallowed")
assert r.log[-1] == "KeyError"
try:
    with r:
        raise ValueError("not swallowed")
    raise RuntimeError
except ValueError: pass
assert r.log[-1] == "ValueError"
with tagged("t") as made:
    assert made == ["t"]
""",
    ),
    "functions that change their arguments": (
        """
import random
def insertion_sort(items):
    for i in range(1, len(items)):
        while i and items[i - 1] > items[i]:
            items[i - 1], items[i] = items[i], items[i - 1]
            i -= 1
def add_item(basket, name, price):
    basket[name] = basket.get(name, 0) + price
    return basket
def clip(a): a[a < 0] = 0
def helper(xs): xs.append(1)
def outer(xs):
    helper(xs)
    return len(xs)
def paint(grid, row, color): grid[row][0] = color
def mixed(items): random.shuffle(items)
class Bag:
    def move(self, other): other.pop()
""",
        """
import numpy as np
items = other = [3, 1, 2]
assert insertion_sort(items) is None and items == [1, 2, 3] and other is items
basket = {"a": 1}
assert add_item(basket, "b", 2) == {"a": 1, "b": 2} and basket == {"a": 1, "b": 2} and add_item(basket, name="a", price=4)["a"] == 5
assert basket["a"] == 5
array = np.array([-1.0, 2.0])
clip(array)
assert array.tolist() == [0, 2]
clip(array[:1])
xs = []
assert outer(xs) == 1 and outer(xs) == 2 and xs == [1, 1]
grid = [[0, 0], [0, 0]]
first, second = grid
paint(grid, 1, "red")
assert grid == [[0, 0], ["red", 0]] and grid[0] is first and grid[1] is second
mixed(items)
assert sorted(items) == [1, 2, 3]
Bag().move(items)
assert len(items) == 2
""",
    ),
}
