"""Which objects may answer yes or no in a test: those of classes that the instructor's own solution lets answer, and no others."""

import pytest

from nbjudge._analysis.answering_classes import trusted_comparisons

SOURCES = {
    "class V:\n    def __eq__(self, o): ...\n    def __len__(self): ...\n    def add(self): ...": {"V.__eq__", "V.__ne__", "V.__len__"},
    "class V:\n    def __eq__(self, o):\n        return isinstance(o, V) and self.x == o.x": {"V.__eq__", "V.__ne__"},
    "class V:\n    def __eq__(self, o):\n        return self.x == o": {"V.__eq__", "V.__ne__", "V.__eq__ plain", "V.__ne__ plain"},
    "class V:\n    def __sub__(self, o): ...\n    def equals(self, o): ...": {"V.__sub__", ".equals"},
    "class V:\n    def __init__(self, u):\n        self.union = u": {".union"},
    "class V:\n    __lt__ = __gt__ = lambda a, b: True\nV.__contains__ = f": {
        "V.__lt__",
        "V.__gt__",
        "V.__lt__ plain",
        "V.__gt__ plain",
        "V.__contains__",
    },
    "@dataclass\nclass C:\n    x: int": {"C.__eq__", "C.__ne__"},
    "import dataclasses\n@dataclasses.dataclass(order=True, eq=True)\nclass C:\n    x: int": {
        "C.__eq__",
        "C.__ne__",
        "C.__lt__",
        "C.__le__",
        "C.__gt__",
        "C.__ge__",
    },
    "@dataclass(eq=False)\nclass C:\n    x: int": set(),
    "@total_ordering\nclass C:\n    def __lt__(self, o): ...": {"C.__lt__", "C.__le__", "C.__gt__", "C.__ge__"},
    "P = make_dataclass('P', ['x'])": {"P.__eq__", "P.__ne__"},
    "class S(collections.abc.Sequence[int]):\n    pass": {"S.__contains__"},
    "@contextmanager\ndef tagged():\n    yield": set(),
    "@contextmanager\ndef tagged():\n    try:\n        yield\n    finally:\n        print()": set(),
    "@contextmanager\ndef tagged():\n    try:\n        yield\n    except KeyError:\n        print()\n        raise": set(),
    "@contextmanager\ndef tagged():\n    try:\n        yield\n    except KeyError:\n        pass": {"_GeneratorContextManager.__exit__"},
    "@contextmanager\ndef tagged():\n    with suppress(KeyError):\n        yield": {"_GeneratorContextManager.__exit__"},
    "class M:\n    def __exit__(self, *a): ...": set(),
    "class M:\n    def __exit__(self, *a):\n        self.close()\n        return False": set(),
    "class M:\n    def __exit__(self, kind, *a):\n        return kind is KeyError": {"M.__exit__"},
    "class Plain(Base): pass\ndef __eq__(a, b): ...": set(),
    "%matplotlib inline\n!ls\nclass V:\n    def __bool__(self): ...": {"V.__bool__"},
    "%%bash\nclass V": set(),
    "class V(": set(),
    "def f(a):\n    a.sort()\ndef g(b):\n    f(b)\ndef h(c):\n    c = sorted(c)\n    return c": {"f()", "g()", "f(a)", "f(1)", "g(b)", "g(1)"},
    "def f(a, i):\n    a[i], a[0] = a[0], a[i]\ndef g(a):\n    for x in a: x += 1\ndef k(a):\n    del a[0]": {
        f"{name}({place})" for name in "fgk" for place in ("", "a", 1)
    },
    "class C:\n    def m(self, rows, extra, *, log):\n        rows.update(extra)\n        log.append(1)": {"m()", "m(rows)", "m(1)", "m(log)"},
    "def f(a):\n    b = a[:]\n    b.append(1)\n    return b\ndef g(self):\n    self.x = 1": set(),
}


@pytest.mark.parametrize("source, found", SOURCES.items(), ids=[source[:40] for source in SOURCES])
def test_what_a_solution_lets_answer_is_read_from_its_text(source, found):
    assert trusted_comparisons([source.replace(": ...", ": print(self)"), "x = 1"]) == found  # of a place for a method nothing is known


HONEST = "class V:\n    def __init__(self, x): self.x = x\ndef f(x): return x + 1\nanswer = 5\n"
LIARS = {
    "==": ("def __eq__(self, other): return True", "assert f(1) == 2"),
    "== from the other side": ("def __eq__(self, other): return True", "assert 2 == f(1)"),
    "!=": ("def __ne__(self, other): return False\n    def __eq__(self, other): return True", "if f(1) != 2: raise AssertionError"),
    "== in a list": ("def __eq__(self, other): return True", "assert [f(1)] == [2]"),
    "== in a dict": ("def __eq__(self, other): return True\n    def __hash__(self): return hash(2)", "assert f(1) in {2: 1}"),
    "in a set": ("def __eq__(self, other): return True\n    def __hash__(self): return hash(2)", "assert {f(1)} == {2}"),
    "<": ("def __lt__(self, other): return True\n    __gt__ = __le__ = __ge__ = __lt__", "assert 1 < f(1) < 3"),
    "max and sorted": ("def __lt__(self, other): return True\n    __gt__ = __lt__", "assert sorted([f(1), 1])[0] == 1"),
    "truth": ("def __bool__(self): return True", "assert f(1)"),
    "no truth": ("def __bool__(self): return False", "assert not f(1)"),
    "length as truth": ("def __len__(self): return 0", "assert not f(1)"),
    "in": ("def __contains__(self, item): return True", "assert 2 in f(1)"),
    "with": ("def __enter__(self): return self\n    def __exit__(self, *a): return True", "with f(1): assert False"),
    "with in a stack": (
        "def __enter__(self): return self\n    def __exit__(self, *a): return True",
        "import contextlib\nwith contextlib.ExitStack() as stack:\n    stack.enter_context(f(1))\n    assert False",
    ),
    "numpy": (
        "def __eq__(self, other): return True\n    def __array__(self, *a, **k): return __import__('numpy').array(2)",
        "import numpy as np\nassert np.array_equal(f(1), 2)",
    ),
    "isclose": (
        "def __sub__(self, other): return 0\n    __rsub__ = __sub__\n    def __eq__(self, o): return True\n    def __abs__(self): return 0",
        "import math\nassert math.isclose(f(1), 2)",
    ),
    "unittest": ("def __eq__(self, other): return True", "import unittest\nunittest.TestCase().assertEqual(f(1), 2)"),
    "a heir of int": ("def __eq__(self, other): return True\n    __hash__ = None", "assert f(1) == 2"),
}


@pytest.mark.parametrize("body, test", LIARS.values(), ids=LIARS.keys())
def test_who_is_not_trusted_is_not_asked(body, test, verdict_on):
    base = "(int)" if "__hash__ = None" in body else ""
    answer = f"class V{base}:\n    {body}\ndef f(x): return V()\n"
    verdict = verdict_on(answer, test, HONEST)
    assert verdict.points == 0 and verdict.message


def test_an_object_of_a_trusted_class_is_asked_and_an_object_of_another_is_not(verdict_on):
    solution = "class V:\n    def __init__(self, x): self.x = x\n    def __eq__(self, o): return self.x == o.x\ndef f(x): return x + 1"
    liar = "class V:\n    def __init__(self, x): self.x = x\n    def __eq__(self, o): return self.x == o.x\n"
    liar += "class W:\n    def __eq__(self, o): return True\ndef f(x): return W()"
    assert verdict_on(solution, "assert V(1) == V(1) and V(1) != V(2)").points == 2
    assert verdict_on(liar, "assert V(1) == V(1) and V(1) != V(2)", solution).points == 2
    assert verdict_on(liar, "assert f(1) == 2", solution).points == 0


def test_an_object_of_a_trusted_class_that_equals_everything_is_found_out(verdict_on):
    solution = "class V:\n    def __init__(self, x): self.x = x\n    def __eq__(self, o): return self.x == o.x"
    liar = "class V:\n    def __init__(self, x): pass\n    def __eq__(self, o): return True"
    for test in ("assert V(1) == 1", "assert [V(1)] == ['a']", "assert V(1) in (1, 2)", "assert not V(1) != 1"):
        assert verdict_on(liar, test, solution).points == 0
    plain = solution.replace("self.x == o.x", "self.x == o")
    for test in ("assert V(1) == V(1)", "assert V(1) == 1", "assert [V(1)] == ['a']", "assert V(1) in (1, 2)"):
        assert "cannot be relied upon" in verdict_on(liar, test, plain, excuse=False).message
    for test in ("assert V(1) == V(1)",):
        assert "cannot be relied upon" in verdict_on(liar, test, solution).message
    assert verdict_on(solution, "assert V(1) == V(1) and V(1) in [V(2), V(1)] and V(1) != V(2)").points == 2


def test_a_failed_check_stays_one_in_a_trusted_context(verdict_on):
    solution = "class Quiet:\n    def __enter__(self): return self\n    def __exit__(self, *a): return True"
    assert verdict_on(solution, "with Quiet():\n    raise KeyError(1)").points == 2
    assert verdict_on(solution, "with Quiet():\n    assert False, 'secret'").points == 0
    tells = "told = []\nclass Quiet:\n    def __enter__(self): return self\n"
    tells += "    def __exit__(self, kind, error, trace): told.append(str(error) if error else '')"
    assert verdict_on(tells, "try:\n    with Quiet(): assert False, 'secret'\nexcept AssertionError: pass").points == 2


SENTENCES = {
    "a function for a number": ("def f(x): return f", "assert f(3) == 9", "`f` is a function, where a plain value was expected"),
    "a class for a number": ("class A: pass\ndef f(x): return A", "assert f(3) == 9", "`f` is a class, where a plain value was expected"),
    "an object for a number": ("class A: pass\ndef f(x): return A()", "assert f(3) == 9", "`f` is a A, where a plain value was expected"),
    "a generator for a list": ("def f(x): yield 1", "assert f(3) == [1]", "`f` is a generator, where a plain value was expected"),
    "a function in a sum": ("def f(x): return f", "assert f(3) + 1 == 9", "`f` is a function, where a plain value was expected"),
    "a method for a number": (
        "class A:\n    def get(self): return 1\na = A()",
        "assert a.get == 1",
        "`get` is a method, where a plain value was expected",
    ),
    "a changed argument": ("def f(x): x.append(1)", "f([])", "`f` changed its argument 1"),
    "a changed array": ("def f(x):\n    x[0] = 5\n    return x", "import numpy as np\nf(np.zeros(2))", "`f` changed its argument 1"),
}


@pytest.mark.parametrize("answer, test, sentence", SENTENCES.values(), ids=SENTENCES.keys())
def test_what_is_no_plain_value_is_called_by_its_name(answer, test, sentence, verdict_on):
    verdict = verdict_on(answer, test, "x = 1", excuse=False)
    assert verdict.points == 0 and sentence in verdict.message


HOSTILE_TEXTS = {
    "brackets": "'(' * 90_000",
    "minus": "'-' * 90_000 + '1'",
    "attributes": "'a' + '.a' * 40_000",
    "sums": "'1' + '+1' * 40_000",
    "no text": "b'x'",
    "indentation": "''.join(' ' * n + 'if 1:\\n' for n in range(400))",
    "lambdas": "'lambda:' * 12_000 + '1'",
}


@pytest.mark.parametrize("text", HOSTILE_TEXTS.values(), ids=HOSTILE_TEXTS.keys())
def test_sources_that_break_parsers_cost_the_test_and_nothing_else(text, verdict_on):
    answer = f"import inspect, sys\ndef f(x): return x\ninspect.getsource = lambda *_: {text}"
    test = "import inspect, ast\ntree = ast.parse(inspect.getsource(f))\ncompile(tree, 'f', 'exec')\nassert isinstance(tree.body[0], ast.FunctionDef)"
    assert verdict_on(answer, test).points == 0
