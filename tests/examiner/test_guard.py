"""Nothing of a student's is run as code where the examiner runs; what a test, a library and plain types need does run."""

import pytest

from examiner.judge.guard import texts_of

RUNS = {
    "a text of the test's own": ("def f(x): return x + 1", "assert eval('f(2)') == 3\nexec('y = f(4)')\nassert y == 5"),
    "a sum": ("def f(): return '(1 + 2) * -3'", "assert eval(f()) == -9"),
    "annotations as texts": ("from __future__ import annotations\ndef f(x: int, y: list[int] | None) -> 'str': return ''",
                             "import typing\nassert typing.get_type_hints(f)['return'] is str"),
    "what libraries make": ("def f(x): return x",
                            "import collections, dataclasses, re\nP = collections.namedtuple('P', 'x y')\n@dataclasses.dataclass\n"
                            "class D:\n    x: int\nassert f(P(1, 2).y) == 2 and D(3).x == f(3) and re.match('a+', f('aa'))"),
    "a pickle of plain values": ("import pickle, numpy as np\ndef f(): return pickle.dumps({'a': [1, {2}], 'b': np.arange(3)})",
                                 "import pickle\nassert pickle.loads(f())['a'] == [1, {2}] and pickle.loads(f())['b'].sum() == 3"),
    "a tree": ("def f(x):\n    return x", "import ast, inspect\nassert isinstance(ast.parse(inspect.getsource(f)).body[0], ast.FunctionDef)"),
    "a literal": ("def f(): return '[1, {2: 3}]'", "import ast\nassert ast.literal_eval(f()) == [1, {2: 3}]"),
}
STOPS = {
    "a name in a text": ("def f(): return 'expected'", "expected = 5\nassert eval(f()) == expected", "unjudged"),
    "a source": ("def f(x): return x", "import inspect\nexec(inspect.getsource(f))", "unjudged"),
    "a tree that is compiled": ("def f(x): return x", "import ast, inspect\ncompile(ast.parse(inspect.getsource(f)), 'x', 'exec')", "unjudged"),
    "a caught one": ("def f(): return 'a.b()'", "try:\n    eval(f())\nexcept BaseException:\n    pass", "unjudged"),
    "bytes of code": ("import marshal\ndef f(): return marshal.dumps(1)", "import marshal\nmarshal.loads(f())", "unjudged"),
    "a pickle": ("import pickle\nclass A:\n    def __reduce__(self): return print, ('x',)\ndef f(): return pickle.dumps(A())",
                 "import pickle\ntry:\n    pickle.loads(f())\nexcept BaseException: pass", "ended"),
}


@pytest.mark.parametrize("answer, test", RUNS.values(), ids=RUNS)
def test_what_is_nobodys_code_runs(answer, test, verdict_on):
    verdict = verdict_on(answer, test)
    assert (verdict.kind, verdict.points, verdict.message) == ("passed", 2, "")


@pytest.mark.parametrize("answer, test, kind", STOPS.values(), ids=STOPS)
def test_a_text_of_the_students_does_not_run(answer, test, kind, verdict_on):
    verdict = verdict_on(answer, test)
    assert (verdict.kind, verdict.points) == (kind, 0), verdict
    assert "where the examiner runs" in verdict.message


def test_the_next_test_may_run_what_it_likes(verdict_on):
    assert verdict_on("def f(): return 'g()'", "eval(f())").kind == "unjudged"
    assert verdict_on("def f(): return 1", "assert f() == 1").points == 2
    assert eval("1 + len([2])") == 2


def test_texts_are_read_from_the_instructors_cells():
    assert texts_of(["x = 'one'\nf('two')", "%magic", "'''three'''"]) == {"one", "two", "three"}
