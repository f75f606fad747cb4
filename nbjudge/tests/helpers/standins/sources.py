"""What students wrote, for several cases each."""

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

VECTOR = """
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
"""

TREE = """
class Node:
    def __init__(self, value, left=None, right=None): self.value, self.left, self.right = value, left, right

def insert(root, value):
    if root is None: return Node(value)
    if value < root.value: root.left = insert(root.left, value)
    else: root.right = insert(root.right, value)
    return root

def values(root): return [] if root is None else values(root.left) + [root.value] + values(root.right)
def nodes(root): return [] if root is None else nodes(root.left) + [root] + nodes(root.right)
"""

SHAPES = """
from abc import ABC, abstractmethod
class Shape(ABC):
    @abstractmethod
    def area(self): ...
    def describe(self): return f"{type(self).__name__} of area {self.area()}"
class Square(Shape):
    def __init__(self, side): self.side = side
    def area(self): return self.side ** 2
"""

DATA = """
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
"""

ENUM = """
from enum import Enum, IntEnum, auto
class Color(Enum):
    RED = 1
    BLUE = 2
class Level(IntEnum):
    LOW = 1
    HIGH = auto()
def favourite(): return Color.RED
"""

PLAIN = """
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
"""

LAZY = """
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
"""

MANAGER = """
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
"""
