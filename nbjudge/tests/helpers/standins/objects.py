"""Classes, objects and errors of a student's, and what a test may do with them."""

from .sources import ACCOUNT, DATA, ENUM, PLAIN, SHAPES, TREE, VECTOR

OBJECTS = {
    "an account": (
        ACCOUNT,
        """
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
""",
    ),
    "an error of their own": (
        ACCOUNT,
        """
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
""",
    ),
    "errors that derive from each other": (
        """
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
""",
        """
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
""",
    ),
    "errors of Python's own": (
        """
import os
class Locked(PermissionError): pass
def missing(): open("gone.csv")
def folder(): open("/")
def moved(): os.rename("gone1", "gone2")
def worded(): raise OSError("only words")
def numbered(): raise OSError(5)
def locked(): raise Locked(13, "no key", "box")
def unfinished(): compile("1 +", "f.py", "exec")
def foreign(): "\u00e9".encode("ascii")
def key(): {}["a b"]
def two(): raise ValueError("a", 2)
""",
        """
import errno
for call, kind, said, args, number, name, other in [
    (missing, FileNotFoundError, "[Errno 2] No such file or directory: 'gone.csv'", (2, "No such file or directory"), errno.ENOENT, "gone.csv", None),
    (folder, IsADirectoryError, "[Errno 21] Is a directory: '/'", (21, "Is a directory"), errno.EISDIR, "/", None),
    (moved, OSError, "[Errno 2] No such file or directory: 'gone1' -> 'gone2'", (2, "No such file or directory"), 2, "gone1", "gone2"),
    (worded, OSError, "only words", ("only words",), None, None, None),
    (numbered, OSError, "5", (5,), None, None, None),
    (locked, PermissionError, "[Errno 13] no key: 'box'", (13, "no key"), 13, "box", None),
]:
    try:
        call()
        assert False, call
    except kind as error:
        assert (str(error), error.args) == (said, args), (str(error), error.args)
        assert (error.errno, error.filename, error.filename2) == (number, name, other)
for call, kind, said in [
    (unfinished, SyntaxError, "invalid syntax (f.py, line 1)"),
    (foreign, UnicodeEncodeError, "'ascii' codec can't encode character '\\\\xe9' in position 0: ordinal not in range(128)"),
    (key, KeyError, "'a b'"),
    (two, ValueError, "('a', 2)"),
]:
    try:
        call()
        assert False, call
    except kind as error:
        assert str(error) == said, str(error)
        assert kind is not SyntaxError or (error.lineno, error.msg) == (1, "invalid syntax")
""",
    ),
    "operators": (
        VECTOR,
        """
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
""",
    ),
    "a tree": (
        TREE,
        """
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
""",
    ),
    "abstract classes": (
        SHAPES,
        """
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
""",
    ),
    "dataclasses": (
        DATA,
        """
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
""",
    ),
    "enumerations": (
        ENUM,
        """
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
""",
    ),
    "heirs of what Python has": (
        PLAIN,
        """
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
""",
    ),
}
