"""What a test may do with students' functions, classes and objects: the same as beside the student's code, which each case is tried with."""

import pytest

FUNCTION = '''
def area(width, height: float = 2.0, *rest, unit="m", **more) -> float:
    """The area of a rectangle."""
    total = 0
    for _ in range(1):
        total += width * height
    return total
squares = lambda n: n * n
def count(n):
    for k in range(n):
        yield k * k
'''
ACCOUNT = '''
class InsufficientFunds(Exception):
    def __init__(self, balance, wanted):
        super().__init__(f"{balance} is less than {wanted}")
        self.balance, self.wanted = balance, wanted

class Account:
    """Somebody's money."""
    bank = "First"
    number = 0

    def __init__(self, owner, balance=0):
        self.owner, self._balance = owner, balance
        Account.number += 1

    @property
    def balance(self):
        return self._balance

    @balance.setter
    def balance(self, value):
        if value < 0:
            raise ValueError("no debts")
        self._balance = value

    def withdraw(self, amount):
        if amount > self._balance:
            raise InsufficientFunds(self._balance, amount)
        self._balance -= amount
        return self

    @classmethod
    def empty(cls, owner):
        return cls(owner)

    @staticmethod
    def fee(amount):
        return amount / 10

    def __str__(self):
        return f"{self.owner}: {self._balance}"

class Savings(Account):
    def __repr__(self):
        return f"Savings({self.owner!r})"
'''
VECTOR = '''
import math
class Vector:
    def __init__(self, *parts): self.parts = list(parts)
    def __len__(self): return len(self.parts)
    def __getitem__(self, place): return self.parts[place]
    def __setitem__(self, place, value): self.parts[place] = value
    def __delitem__(self, place): del self.parts[place]
    def __iter__(self): return iter(self.parts)
    def __contains__(self, value): return value in self.parts
    def __add__(self, other): return Vector(*(a + b for a, b in zip(self, other)))
    def __mul__(self, k): return Vector(*(k * a for a in self))
    __rmul__ = __mul__
    def __iadd__(self, other):
        self.parts = [a + b for a, b in zip(self, other)]
        return self
    def __neg__(self): return -1 * self
    def __abs__(self): return math.hypot(*self.parts)
    def __eq__(self, other): return isinstance(other, Vector) and self.parts == other.parts
    def __hash__(self): return hash(tuple(self.parts))
    def __lt__(self, other): return abs(self) < abs(other)
    def __bool__(self): return any(self.parts)
    def __float__(self): return float(abs(self))
    def __int__(self): return int(abs(self))
    def __round__(self, n=0): return Vector(*(round(a, n) for a in self))
    def __call__(self, x): return sum(a * x**k for k, a in enumerate(self.parts))
    def __repr__(self): return f"Vector({', '.join(map(repr, self.parts))})"
    def __format__(self, spec): return "<" + ", ".join(format(a, spec) for a in self) + ">"
'''
TREE = '''
class Node:
    def __init__(self, value, left=None, right=None): self.value, self.left, self.right = value, left, right

def insert(root, value):
    if root is None: return Node(value)
    if value < root.value: root.left = insert(root.left, value)
    else: root.right = insert(root.right, value)
    return root

def values(root): return [] if root is None else values(root.left) + [root.value] + values(root.right)
def nodes(root): return [] if root is None else nodes(root.left) + [root] + nodes(root.right)
'''
SHAPES = '''
from abc import ABC, abstractmethod
class Shape(ABC):
    @abstractmethod
    def area(self): ...
    def describe(self): return f"{type(self).__name__} of area {self.area()}"
class Square(Shape):
    def __init__(self, side): self.side = side
    def area(self): return self.side ** 2
'''
DATA = '''
from dataclasses import dataclass, field, FrozenInstanceError
from functools import total_ordering
@dataclass(order=True)
class Card:
    rank: int
    suit: str = "hearts"
    marks: list = field(default_factory=list)
@dataclass(frozen=True)
class Place:
    x: float
    y: float
@total_ordering
class Size:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == other.n
    def __lt__(self, other): return self.n < other.n
'''
ENUM = '''
from enum import Enum, IntEnum, auto
class Color(Enum):
    RED = 1
    BLUE = 2
class Level(IntEnum):
    LOW = 1
    HIGH = auto()
def favourite(): return Color.RED
'''
PLAIN = '''
from collections import namedtuple, Counter, defaultdict, OrderedDict
from typing import NamedTuple
Point = namedtuple("Point", "x y")
class Step(NamedTuple):
    dx: int
    dy: int = 0
    def length(self): return abs(self.dx) + abs(self.dy)
def middle(p, q): return Point((p.x + q.x) / 2, (p.y + q.y) / 2)
class Stack(list):
    def push(self, item): self.append(item)
    def peek(self): return self[-1]
class Celsius(float):
    def fahrenheit(self): return self * 9 / 5 + 32
class Loud(str):
    def shout(self): return self.upper() + "!"
def words(text): return Counter(text.split())
def groups(items):
    found = defaultdict(list)
    for item in items: found[len(item)].append(item)
    return found
'''
LAZY = '''
import itertools
def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
def few():
    yield 1
    yield 2
    raise ValueError("after two")
def echo():
    got = yield "ready"
    while True: got = yield got * 2
class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n <= 0: raise StopIteration
        self.n -= 1
        return self.n + 1
def evens(): return filter(lambda n: n % 2 == 0, itertools.count())
def doubled(items): return map(lambda n: 2 * n, items)
'''
MANAGER = '''
from contextlib import contextmanager
class Recorder:
    def __init__(self): self.log = []
    def __enter__(self):
        self.log.append("in")
        return self
    def __exit__(self, kind, error, trace):
        self.log.append(kind.__name__ if kind else "out")
        return kind is not None and issubclass(kind, KeyError)
@contextmanager
def tagged(name):
    made = [name]
    yield made
    made.append("closed")
'''
CASES = {
    "what inspect says of a function": (FUNCTION, """
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
"""),
    "the code of a function": (FUNCTION, """
import ast, inspect, textwrap, dis
source = inspect.getsource(area)
assert source.startswith("def area(width") and "for _ in range(1)" in source and "while" not in source
tree = ast.parse(textwrap.dedent(source))
assert any(isinstance(node, ast.For) for node in ast.walk(tree)) and isinstance(tree.body[0], ast.FunctionDef)
assert inspect.getsourcelines(area)[0][0].startswith("def area") and "lambda n" in inspect.getsource(squares)
code = area.__code__
assert code.co_argcount == 2 and code.co_varnames[:5] == ("width", "height", "unit", "rest", "more") and code.co_kwonlyargcount == 1
assert "range" in code.co_names and code.co_name == "area" and "total" in code.co_varnames and 1 in code.co_consts
"""),
    "truth and equality of functions and classes": (FUNCTION + SHAPES, """
assert area and bool(area) and Shape and area is not None and area != None and not area == None
assert area == area and area != squares and area in [squares, area] and squares not in (area, Shape) and area is area
assert Square == Square and Square != Shape and len({area, squares, area, Square}) == 3 and {area: 1}[area] == 1
"""),
    "attributes of functions": ("def f(x):\n    f.calls += 1\n    return x\nf.calls = 0", """
f(1); f(2)
assert f.calls == 2 and hasattr(f, "calls") and not hasattr(f, "other")
f.calls = 10
f(1)
assert f.calls == 11
del f.calls
assert not hasattr(f, "calls")
"""),
    "decorators": ("""
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
""", """
import inspect
assert plus(1) == 4 and plus.__name__ == "plus" and plus.__doc__ == "Adds." and plus.__wrapped__(1) == 2
assert list(inspect.signature(plus).parameters) == ["a", "b"]
@twice
def mine(x): return x + 1
assert mine(1) == 4 and mine.__name__ == "mine"
assert fib(30) == 832040 and fib.cache_info().hits > 0 and callable(fib) and callable(add3) and add3(4) == 14
fib.cache_clear()
assert fib.cache_info().currsize == 0 and add3.args == (3,) and list(inspect.signature(fib).parameters) == ["n"]
"""),
    "closures": ("def counter():\n    n = 0\n    def step():\n        nonlocal n\n        n += 1\n        return n\n    return step", """
a, b = counter(), counter()
assert (a(), a(), b()) == (1, 2, 1) and callable(a) and a is not b and a.__code__.co_freevars == ("n",) and a.__name__ == "step"
"""),
    "an account": (ACCOUNT, """
import inspect
a = Account("Ada", 100)
assert isinstance(a, Account) and type(a) is Account and type(a).__name__ == "Account" and a.__class__.__name__ == "Account"
assert a.__class__ is Account
assert inspect.isclass(Account) and isinstance(Account, type) and Account.__name__ == "Account" and Account.__doc__ == "Somebody's money."
assert a.owner == "Ada" and a.balance == 100 and str(a) == "Ada: 100" and f"{a}" == "Ada: 100" and "Account object" in repr(a)
a.balance = 50
assert a.balance == 50 and a.withdraw(20) is a and a.balance == 30
try:
    a.balance = -1
    assert False
except ValueError as error:
    assert str(error) == "no debts"
a.nickname = "A"
assert a.nickname == "A" and hasattr(a, "nickname") and getattr(a, "missing", 7) == 7
del a.nickname
assert not hasattr(a, "nickname") and vars(a) == a.__dict__ == {"owner": "Ada", "_balance": 30}
assert Account.bank == "First" and a.bank == "First" and Account.fee(10) == 1 and a.fee(20) == 2
b = Account.empty("Bob")
assert type(b) is Account and b.balance == 0 and b is not a and b != a and Account.number == 2
Account.bank = "Second"
assert b.bank == "Second"
assert hasattr(Account, "withdraw") and hasattr(Account, "__init__") and callable(Account.withdraw) and "withdraw" in dir(a)
assert "withdraw" in dir(Account)
assert list(inspect.signature(Account.withdraw).parameters) == ["self", "amount"]
assert list(inspect.signature(a.withdraw).parameters) == ["amount"]
assert list(inspect.signature(Account).parameters) == ["owner", "balance"]
assert list(inspect.signature(Account.__init__).parameters)[0] == "self"
assert inspect.ismethod(a.withdraw) and not inspect.ismethod(Account.withdraw) and a.withdraw.__self__ is a
assert a.withdraw.__func__ == Account.withdraw
assert "withdraw" in Account.__dict__ and "owner" not in Account.__dict__ and "balance" in vars(Account)
assert inspect.getsource(Account.fee).count("amount") == 2
s = Savings("Sue", 5)
assert repr(s) == "Savings('Sue')" and isinstance(s, Account) and not isinstance(a, Savings) and issubclass(Savings, Account)
assert issubclass(Account, object)
assert Savings.__bases__ == (Account,) and Account.__bases__ == (object,) and Savings.__mro__ == (Savings, Account, object)
assert Savings.mro()[1] is Account
assert not issubclass(Account, Exception) and not isinstance(5, Account) and not isinstance(a, (int, str)) and isinstance(s, (int, Account))
assert bool(a) and (a or None) is a and a is not None and a != None and a in [b, a] and [b, a].index(a) == 1
assert [x.owner for x in sorted([s, a, b], key=lambda x: x.owner)] == ["Ada", "Bob", "Sue"] and len({a, b, a}) == 2
"""),
    "an error of their own": (ACCOUNT, """
a = Account("Ada", 5)
try:
    a.withdraw(10)
except InsufficientFunds as error:
    assert error.balance == 5 and error.wanted == 10 and "less than" in str(error) and error.args == ("5 is less than 10",)
    caught = error
else:
    raise AssertionError("nothing was raised")
assert issubclass(InsufficientFunds, Exception) and isinstance(caught, InsufficientFunds) and type(caught) is InsufficientFunds
assert type(caught).__name__ == "InsufficientFunds" and not issubclass(InsufficientFunds, ValueError)
import unittest, pytest
case = unittest.TestCase()
with case.assertRaises(InsufficientFunds) as context:
    a.withdraw(10)
assert context.exception.wanted == 10
case.assertRaises(InsufficientFunds, a.withdraw, 11)
case.assertRaisesRegex(InsufficientFunds, "5 is less than 12", a.withdraw, 12)
with pytest.raises(InsufficientFunds, match="less than"):
    a.withdraw(10)
try:
    raise InsufficientFunds(1, 2)
except Exception as error:
    assert error.balance == 1 and str(error) == "1 is less than 2"
"""),
    "errors that derive from each other": ("""
class AppError(Exception): pass
class NotFound(AppError, KeyError):
    code = 404
class Odd(ValueError):
    def __str__(self): return f"odd {self.args[0]}"
def find(k): raise NotFound(k)
def odd(k): raise Odd(k)
def chained():
    try: find(1)
    except NotFound as error: raise RuntimeError("no luck") from error
""", """
for kind in (NotFound, AppError, KeyError, LookupError, Exception):
    try:
        find("x")
    except kind as error:
        assert error.args == ("x",) and error.code == 404
    else:
        assert False
try:
    odd(3)
except NotFound:
    assert False
except ValueError as error:
    assert str(error) == "odd 3" and error.args == (3,)
try:
    chained()
except RuntimeError as error:
    assert str(error) == "no luck"
assert NotFound.code == 404 and NotFound.__mro__[1] is AppError and issubclass(NotFound, KeyError)
"""),
    "errors of libraries": ("import json, decimal\nimport numpy as np\ndef f(x): return json.loads(x)\n"
                            "def g(): return np.linalg.inv(np.zeros((2, 2)))", """
import json, pytest
import numpy as np
with pytest.raises(json.JSONDecodeError) as caught:
    f("{")
assert caught.value.pos == 1 and "Expecting" in str(caught.value)
try:
    g()
    assert False
except np.linalg.LinAlgError as error:
    assert "ingular" in str(error)
try:
    f("{")
    assert False
except ValueError: pass
"""),
    "operators": (VECTOR, """
p, q = Vector(1, 2), Vector(3, 4)
assert len(p) == 2 and p[0] == 1 and p[-1] == 2 and p[0:2] == [1, 2] and list(p) == [1, 2] and [x for x in q] == [3, 4] and sum(p) == 3
p[0] = 5
assert p[0] == 5 and p.parts == [5, 2]
del p[0]
assert p.parts == [2] and len(p) == 1
p = Vector(1, 2)
assert p + q == Vector(4, 6) and p * 2 == Vector(2, 4) and 3 * p == Vector(3, 6) and -p == Vector(-1, -2) and abs(q) == 5.0
assert p + q != Vector(4, 7) and not p == q and p != (1, 2) and p != 3 and (p == 3) is False and p in [q, Vector(1, 2)]
before = p
p += q
assert p is before and p.parts == [4, 6]
assert q < p and p > q and sorted([p, q])[0] is q and max(p, q) is p
assert 3 in q and 9 not in q and float(q) == 5 and int(q) == 5 and bool(q) and not Vector(0, 0)
assert round(Vector(1.26, 2), 1) == Vector(1.3, 2) and Vector(1, 2, 3)(2) == 17 and f"{q:.1f}" == "<3.0, 4.0>"
assert repr(q) == "Vector(3, 4)" and str(q) == repr(q)
assert hash(q) == hash((3, 4)) and len({Vector(1), Vector(1), Vector(2)}) == 2 and {Vector(1): "a"}[Vector(1)] == "a"
a, b = q
assert (a, b) == (3, 4) and dict(zip(q, "ab")) == {3: "a", 4: "b"} and max(q) == 4 and sorted(q, reverse=True) == [4, 3]
assert tuple(q) == (3, 4)
import math, numpy as np
assert math.isclose(abs(q), 5) and np.allclose(q, [3, 4]) and np.array(q).sum() == 7 and math.sqrt(float(q)) > 2
try:
    p - q
    assert False
except TypeError: pass
try:
    p[10]
    assert False
except IndexError: pass
import copy
c = copy.deepcopy(q); c[0] = 100
assert q[0] == 3 and copy.copy(q) is not q and isinstance(q, Vector) and hasattr(q, "__len__") and not hasattr(q, "__sub__")
assert hasattr(Vector, "__add__")
import collections.abc
assert isinstance(q, collections.abc.Iterable) and isinstance(q, collections.abc.Sized) and callable(q) and q.__len__() == 2
assert Vector.__len__(q) == 2
"""),
    "a tree": (TREE, """
root = None
for value in [5, 2, 8, 1]:
    root = insert(root, value)
assert values(root) == [1, 2, 5, 8] and root.value == 5 and root.left.value == 2 and root.left.left.value == 1 and root.right.right is None
assert isinstance(root.left, Node) and [node.value for node in nodes(root)] == [1, 2, 5, 8] and nodes(root)[2] is root
assert root in nodes(root)
root.left = Node(3)
assert values(root) == [3, 5, 8] and values(None) == []
node, depth = root, 0
while node:
    node, depth = node.right, depth + 1
assert depth == 2
chain = Node(1, Node(2)); chain.right = chain.left
assert chain.right is chain.left and values(chain) == [2, 1, 2]
seen = set()
for node in nodes(root): seen.add(node)
assert len(seen) == 3 and root in seen and {"root": root}["root"] is root
"""),
    "abstract classes": (SHAPES, """
import inspect, abc, pytest
assert issubclass(Square, Shape) and issubclass(Shape, abc.ABC)
with pytest.raises(TypeError):
    Shape()
assert Square(3).area() == 9 and Square(2).describe() == "Square of area 4" and isinstance(Square(1), abc.ABC)
assert "area" in Shape.__abstractmethods__
class Line(Shape):
    def area(self): return 0
line = Line()
assert line.describe() == "Line of area 0" and isinstance(line, Shape) and isinstance(line, Line) and not isinstance(Square(1), Line)
class Big(Square):
    def __init__(self, side):
        super().__init__(side * 10)
    def area(self):
        return super().area() + 1
assert Big(1).area() == 101 and Big.__name__ == "Big" and issubclass(Big, Shape)
"""),
    "dataclasses": (DATA, """
import dataclasses
a, b = Card(3), Card(3)
assert a == b and a is not b and a != Card(4) and a < Card(4) and Card(5) >= a and sorted([Card(5), Card(2)])[0].rank == 2
assert max(Card(1), Card(9)).rank == 9
assert repr(a) == "Card(rank=3, suit='hearts', marks=[])" and a.suit == "hearts" and a.marks == [] and [a] == [b] and a in [b]
a.rank = 10
assert a != b and a.rank == 10 and hasattr(Card, "__dataclass_fields__") and "rank" in Card.__annotations__
assert Place(1, 2) == Place(1.0, 2) and hash(Place(1, 2)) == hash(Place(1, 2)) and len({Place(0, 0), Place(0, 0)}) == 1
try:
    Place(1, 2).x = 5
    assert False
except dataclasses.FrozenInstanceError: pass
except AttributeError: pass
assert Size(1) < Size(2) and Size(2) >= Size(2) and Size(1) == Size(1) and Size(1) != Size(2) and not Size(3) <= Size(2)
"""),
    "enumerations": (ENUM, """
assert Color.RED.value == 1 and Color.RED.name == "RED" and Color.RED is Color.RED and Color.RED == Color.RED and Color.RED != Color.BLUE
assert favourite() is Color.RED and favourite() == Color.RED and Color(2) is Color.BLUE and Color["RED"] is Color.RED and len(Color) == 2
assert [c.name for c in Color] == ["RED", "BLUE"] and list(Color) == [Color.RED, Color.BLUE] and Color.RED in Color
assert isinstance(Color.RED, Color)
assert {Color.RED: 5}[favourite()] == 5 and str(Color.RED) == "Color.RED" and Color.RED != 1
assert Level.LOW == 1 and Level.HIGH > Level.LOW and Level.HIGH == 2 and int(Level.HIGH) == 2 and Level.LOW + 1 == 2
assert set(Color.__members__) == {"RED", "BLUE"}
try:
    Color(7)
    assert False
except ValueError: pass
"""),
    "heirs of what Python has": (PLAIN, """
p = middle(Point(0, 0), Point(2, 4))
assert p == (1, 2) and p.x == 1 and p.y == 2 and isinstance(p, tuple) and isinstance(p, Point) and p._fields == ("x", "y")
assert p._asdict() == {"x": 1, "y": 2}
assert p == Point(1, 2) and p._replace(x=9).x == 9 and repr(p) == "Point(x=1.0, y=2.0)" and type(p).__name__ == "Point"
assert Point._fields == ("x", "y") and Point(x=1, y=2).y == 2
s = Step(3, -4)
assert s.length() == 7 and s.dx == 3 and s == (3, -4) and s[1] == -4 and tuple(s) == (3, -4) and s == Step(3, -4) and s != Step(0)
assert Step(1) == (1, 0)
stack = Stack()
assert not stack and stack == [] and len(stack) == 0
stack.push(1); stack.push(2)
assert stack == [1, 2] and stack.peek() == 2 and stack[0] == 1 and list(stack) == [1, 2] and 2 in stack and 3 not in stack
assert stack.pop() == 2 and len(stack) == 1 and bool(stack)
stack.append([1]); stack += [4]
assert stack == [1, [1], 4] and stack != [1] and sum(stack[::2]) == 5
c = Celsius(100)
assert c == 100 and c.fahrenheit() == 212 and c > 99 and c + 1 == 101 and float(c) == 100.0 and round(c) == 100 and abs(c - 100) < 1e-9
assert Loud("hi").shout() == "HI!" and Loud("hi") == "hi" and Loud("hi") < "hj" and Loud("hi") + "x" == "hix" and "h" in Loud("hi")
assert len(Loud("hi")) == 2
w = words("a b a")
assert w == {"a": 2, "b": 1} and w["a"] == 2 and w["zebra"] == 0 and w.most_common(1) == [("a", 2)] and isinstance(w, dict)
import collections
assert isinstance(w, collections.Counter) and groups(["a", "bb", "c"]) == {1: ["a", "c"], 2: ["bb"]} and groups([])["x"] == []
"""),
    "generators": (LAZY, """
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
"""),
    "managers of contexts": (MANAGER, """
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
"""),
    "objects in containers and back": (ACCOUNT + """
def richest(accounts): return max(accounts, key=lambda a: a.balance)
def by_owner(accounts): return {a.owner: a for a in accounts}
def apply(f, x): return f(x)
""", """
accounts = [Account("a", 5), Account("b", 7)]
assert richest(accounts) is accounts[1] and richest(tuple(accounts)).owner == "b" and by_owner(accounts)["a"] is accounts[0]
assert apply(lambda a: a.balance * 2, accounts[0]) == 10 and apply(Account, "z").owner == "z" and apply(accounts[0].fee, 10) == 1
assert list(map(Account.empty, "xy"))[1].owner == "y" and apply(lambda a: a, accounts[0]) is accounts[0]
def highest(a): return max(accounts, key=lambda x: x.balance).owner + a
assert apply(highest, "!") == "b!"
"""),
    "types as values": ("def kind(x): return type(x)\nMyError = ValueError\nAny = Exception\ndef f(): raise ValueError('v')\nnumber = float", """
assert kind(3) is int and kind("a") == str and kind([]) in (list, tuple) and kind(None) is type(None) and number is float
assert number("1.5") == 1.5
try:
    f()
    assert False
except MyError as error:
    assert "v" in str(error)
try:
    f()
except Any: pass
"""),
    "functions that change their arguments": ("""
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
""", """
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
"""),
    "a network of torch": ("""
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.first = nn.Linear(n, 2)
        self.layers = nn.Sequential(nn.ReLU(), nn.Linear(2, 1))
    def forward(self, x): return self.layers(self.first(x))
""", """
import torch
assert issubclass(Net, nn.Module) and isinstance(Net(3), nn.Module) and isinstance(Net(3), Net) and isinstance(Net(3).first, nn.Linear)
net = Net(3)
assert net.first.in_features == 3 and net(torch.ones(4, 3)).shape == (4, 1) and len(net.layers) == 2 and isinstance(net.layers[0], nn.ReLU)
assert [name for name, _ in net.named_parameters()][0] == "first.weight" and sum(p.numel() for p in net.parameters()) == 11
assert len(list(net.children())) == 2
assert "first" in repr(net) and not isinstance(net, nn.Linear) and Net.__bases__ == (nn.Module,) and bool(net) and net is not None
assert net.first is net.first
"""),
    "numpy and the like": ("""
import numpy as np, fractions, decimal, datetime, pathlib, random
rng = np.random.default_rng(3)
half = fractions.Fraction(1, 2)
def price(): return decimal.Decimal("1.10") * 3
def day(n): return datetime.date(2024, 1, 1) + datetime.timedelta(days=n)
def table(): return np.array([(1, "a")], dtype=[("n", int), ("s", "U1")])
def mixed(): return np.array([1, "x", None], dtype=object)
def file(): return pathlib.Path("a") / "b.txt"
def dot(a, b): return np.matrix(a) * np.matrix(b)
shuffle = random.shuffle
poly = np.poly1d([1, 2])
""", """
import numpy as np, fractions, decimal, datetime, pathlib
assert 0 <= rng.random() < 1 and half == 0.5 and half + half == 1 and isinstance(half, fractions.Fraction)
assert price() == decimal.Decimal("3.30")
assert day(31) == datetime.date(2024, 2, 1) and day(0).weekday() == 0 and table()["n"][0] == 1 and mixed().tolist() == [1, "x", None]
assert file() == pathlib.Path("a/b.txt") and file().name == "b.txt" and str(file()) == "a/b.txt" and not file().exists()
assert file().suffix == ".txt"
assert (dot([[1, 2]], [[3], [4]]) == 11).all() and poly(3) == 5 and list(poly.coef) == [1, 2]
"""),
    "pandas": ("""
import pandas as pd
df = pd.DataFrame({"k": list("aba"), "v": [1, 2, 3]})
def mean_by(frame): return frame.groupby("k")["v"].mean()
def clean(frame): return frame.dropna().reset_index(drop=True)
groups = df.groupby("k")
when = pd.Timestamp("2024-01-02")
""", """
import pandas as pd
assert isinstance(df, pd.DataFrame) and df.shape == (3, 2) and list(df.columns) == ["k", "v"] and df["v"].sum() == 6
assert df.v.dtype == "int64"
pd.testing.assert_series_equal(mean_by(df), pd.Series([2.0, 2.0], index=pd.Index(["a", "b"], name="k"), name="v"))
pd.testing.assert_frame_equal(clean(pd.DataFrame({"a": [1.0, None, 3.0]})), pd.DataFrame({"a": [1.0, 3.0]}))
assert groups.size()["a"] == 2 and groups.mean().loc["b", "v"] == 2 and len(groups) == 2 and groups.ngroups == 2
assert groups["v"].sum()["a"] == 4
assert when.year == 2024 and when + pd.Timedelta(days=1) == pd.Timestamp("2024-01-03") and df.equals(df.copy())
assert df.loc[df.v > 1, "k"].tolist() == ["b", "a"]
"""),
}


@pytest.mark.parametrize("answer, test", CASES.values(), ids=CASES.keys())
def test_it_works_beside_the_student_and_over_the_wire(answer, test, verdict_on, tmp_path):
    own = tmp_path / "cell.py"  # inspect reads the text of functions from a file
    own.write_text(answer)
    names = {"__name__": "__main__"}
    exec(compile(answer, str(own), "exec"), names)
    exec(compile(test, "<test>", "exec", dont_inherit=True), names)
    verdict = verdict_on(answer, test)
    assert (verdict.kind, verdict.points, verdict.message) == ("passed", 2, "")
