"""One notebook through the grader: what passes, what fails, and what the student reads."""

import ast
import copy

import nbformat
import numpy as np
import pytest
from nbgrader.utils import determine_grade

from nbjudge._analysis.instructor import Instructor, only_tests
from nbjudge._analysis.plans import plan_for
from nbjudge._execution.execute import execute
from nbjudge._execution.verdicts import FOR_STUDENT, NOT_JUDGED, outputs_for
from nbjudge._wire.limits import Limits
from nbjudge.testing.notebooks import code, notebook, test_cell

MODULE = """
import torch

class Scale(torch.nn.Module):
    def __init__(self, size, factor=2.0):
        super().__init__()
        if size < 1:
            raise ValueError(f"size {size} is too small")
        self.inner = torch.nn.Linear(size, size, bias=False)
        self.factor = factor

    def forward(self, x):
        return self.inner(x) * (1 if self.training else self.factor)
"""


@pytest.fixture
def judge(warm):
    """Runs one test cell against one student cell; returns the verdict and the test cell as nbgrader sees it."""

    def run(answer: str, test: str, points: float = 2, **limits):
        nb = notebook(answer, test_cell("test", test, points))
        before = copy.deepcopy(nb)
        result = execute(nb, nb, warm, Limits(**{"test_seconds": 5, "cell_seconds": 5, **limits}))
        assert nb == before, "execute changed its argument"
        nbformat.validate(result.notebook)
        (verdict,) = result.verdicts
        assert determine_grade(result.notebook.cells[1])[0] == verdict.points
        return verdict

    return run


PASSING = {
    "array in, array out": ("def f(x): return x * 2", "import numpy as np\nassert (f(np.arange(3)) == [0, 2, 4]).all()"),
    "several results": ("def f(x): return x, [x], {'a': x}", "a, b, c = f(1.5)\nassert (a, b, c) == (1.5, [1.5], {'a': 1.5})"),
    "a plain variable": ("answer = {'who': ['x', 1]}", "assert answer['who'] == ['x', 1]"),
    "keywords": ("def f(*, a, b=2): return a - b", "assert f(a=5) == 3 and f(a=1, b=1) == 0"),
    "a function as argument": (
        "def apply(f, x): return f(f(x))",
        "import numpy as np\nk = 3\ndef triple(v):\n    return k * v\nassert (apply(triple, np.ones(2)) == 9).all()",
    ),
    "their function as argument of theirs": ("def g(x): return x + 1\ndef apply(f, x): return f(x)", "assert apply(g, 1) == 2"),
    "their function inside a test's function": ("def g(x): return x + 1\ndef apply(f, x): return f(x)", "assert apply(lambda v: g(v) * 10, 1) == 20"),
    "a function as result": ("def make(k): return lambda x: x * k", "assert make(3)(2) == 6"),
    "an expected error": (
        "def f(w):\n    raise KeyError(w)",
        "try:\n    f('zebra')\nexcept KeyError as error:\n    assert 'zebra' in str(error)\nelse:\n    assert False",
    ),
    "an error of their own class": (
        "class Mine(ValueError): pass\ndef f(): raise Mine('no')",
        "try:\n    f()\nexcept ValueError as error:\n    assert 'no' in str(error)",
    ),
    "a module": (
        MODULE,
        """
import torch
m = Scale(3)
weight = m.inner.weight
x = torch.ones(2, 3)
assert torch.allclose(m(x), x @ weight.T)
assert m.eval() is not None and torch.allclose(m(x), 2 * x @ weight.T)
m.train()
state = m.state_dict()
state['inner.weight'] = torch.eye(3)
m.load_state_dict(state)
assert torch.equal(m(x), x) and m.factor == 2.0 and m.training
assert sum(p.numel() for p in m.parameters()) == 9
assert Scale(2, factor=5.0).factor == 5.0
try:
    Scale(0)
    raise RuntimeError
except ValueError as error:
    assert 'too small' in str(error)
""",
    ),
    "their module's name is ours": ("import numpy as np", "assert np.allclose(np.ones(2), 1)"),
    "a warning": (
        "import warnings\ndef f():\n    warnings.warn('careful')\n    print('x')\n    return 1",
        "import warnings\nwarnings.warn('mine')\nassert f() == 1",
    ),
    "a method and an attribute": (
        "class Box:\n    size = 3\n    def get(self): return self.size\nbox = Box()",
        "assert box.size == 3 and box.get() == 3",
    ),
    "a word is one object": ("def f(x, kind='mean'):\n    return kind is 'mean', kind is 'max'", "assert f(0) == (1, 0) and f(0, 'max') == (0, 1)"),
    "a NaN with a name": (
        "import numpy as np\ndef missing(x): return x is np.nan\ndef f(n): return [1.0, np.nan] * n\ndef count(xs): return xs.count(np.nan)",
        "import math, numpy as np\n"
        "assert missing(np.nan) and not missing(math.nan) and not missing(float('nan'))\n"
        "for n in 1, 100:\n"
        "    assert f(n) == [1.0, np.nan] * n and f(n) != [1.0, float('nan')] * n and np.nan in f(n) and math.nan not in f(n)\n"
        "    assert count([np.nan, 2.0, float('nan'), math.nan] * n) == n",
    ),
    "what is passed twice": (
        "def same(a, b): return a is b\ndef is_one(rows): return rows[0] is rows[1]",
        "import numpy as np\n"
        "for x, y in ([1], [1]), ({}, {}), (np.ones(2), np.ones(2)), ([[1]], [[1]]):\n"
        "    assert same(x, x) and not same(x, y) and same(b=x, a=x)\n"
        "    assert is_one([x, x]) and not is_one([x, y])",
    ),
    "random state": (
        "def f(rng): return rng.normal(size=3)",
        "import numpy as np\nassert (f(np.random.RandomState(0)) == np.random.RandomState(0).normal(size=3)).all()",
    ),
}


@pytest.mark.parametrize("answer, test", PASSING.values(), ids=PASSING.keys())
def test_right_work_passes(judge, answer, test):
    verdict = judge(answer, test)
    assert (verdict.kind, verdict.points, verdict.message) == ("passed", 2, "")


FAILING = {
    "the message of an assert": ("x = 1", "assert x == 2, 'x is not two'", "x is not two"),
    "an assert without message": ("x = 1", "assert x == 2", "does not hold"),
    "a missing name": ("y = 1", "assert x == 2", "defines no `x`"),
    "an exception of the test": ("def f(): return None", "f().shape", "AttributeError: 'NoneType' object has no attribute 'shape'"),
    "an exception of theirs": ("def f(): return [][1]", "f()", "line 1 of the cell that defines it: IndexError: list index out of range"),
    "a stub": ("def f(): raise NotImplementedError()", "f()", "NotImplementedError"),
    "an object for a number": ("class Odd: pass\ndef f(): return Odd()", "assert f() == 1", "`f` is a Odd"),
    "a function for a number": ("def f(): return f", "assert f() > 1", "plain value"),
    "a subclass": ("import numpy as np\nclass Own(np.ndarray): pass\ndef f(): return np.ones(2).view(Own)", "f()", "use a plain numpy.ndarray"),
    "objects in an array": (
        "import numpy as np\ndef f(): return np.array([f])",
        "assert f() == [1]",
        "`f` returned an array or table that holds functions",
    ),
    "too large": ("import numpy as np\ndef f(): return np.zeros(2_000_000)", "f()", "too large"),
    "too deep": ("def f():\n    x = []\n    x.append(x)\n    return x", "f()", "contains itself"),
    "a module instead": ("import os as f", "f()", "is a module"),
}


@pytest.mark.parametrize("answer, test, message", FAILING.values(), ids=FAILING.keys())
def test_wrong_work_fails_with_a_sentence(judge, answer, test, message):
    verdict = judge(answer, test, message_mb=8)
    assert verdict.points == 0 and message in verdict.message, verdict


UNJUDGED = {
    "a test that is not Python": ("x = 1", "assert x ==", "invalid syntax"),
    "more points than there are": ("x = 1", "7", "gives 7 of 2 points"),
    "a module that is not there": ("x = 1", "import no_such_module\nassert x == 1", "no_such_module"),
    "an argument that cannot travel": ("def f(x): return 1", "import threading\nassert f(threading.Lock()) == 1", "cannot send a lock"),
    "the same, caught": (
        "def f(x): return 1",
        "import threading\ntry:\n    f(threading.Lock())\nexcept Exception:\n    assert False",
        "cannot send a lock",
    ),
    "a magic": ("def f(x): return x", "%timeit f(1)", "%timeit"),
    "a command": ("def f(x): return x", "files = !ls\nassert f(1) == 1", "!ls"),
    "the shell": ("def f(x): return x", "assert get_ipython() is not None", "get_ipython()"),
    "history": ("def f(x): return x", "assert len(In) > 1", "`In`"),
}


@pytest.mark.parametrize("answer, test, reason", UNJUDGED.values(), ids=UNJUDGED.keys())
def test_a_test_that_cannot_be_judged_is_its_authors_matter(judge, answer, test, reason):
    verdict = judge(answer, test)
    assert (verdict.kind, verdict.points) == ("unjudged", 0) and reason in verdict.message
    [output] = outputs_for(verdict)
    assert (output.ename, output.evalue) == (NOT_JUDGED, FOR_STUDENT), "nothing that is for its author"


def test_the_last_number_is_partial_credit(judge):
    assert judge("x = 3", "x / 6").points == 0.5
    assert judge("x = 3", "x == 3").kind == "passed"


def test_what_a_test_prints_is_kept(judge):
    assert judge("x = 1", "print('level', x)").printed == "level 1\n"


def test_data_of_hidden_tests_stays_hidden(judge):
    hidden = "### BEGIN HIDDEN TESTS\nf('secret')\n### END HIDDEN TESTS"
    verdict = judge("def f(x): raise ValueError(x)", hidden)
    assert "secret" not in verdict.message and "ValueError" in verdict.message and "hidden test" in verdict.message
    assert "open" in judge("def f(x): raise ValueError(x)", "f('open')\n" + hidden).message


def test_a_test_cannot_be_talked_out_of_a_fault(judge):
    verdict = judge("import os\ndef f(): os._exit(0)", "try:\n    f()\nexcept BaseException:\n    pass")
    assert (verdict.kind, verdict.points) == ("ended", 0)


def test_a_test_that_computes_for_ever_is_stopped(judge, monkeypatch):
    monkeypatch.setattr("nbjudge._execution.test_cell.ALARM_DELAY", 0.2)
    verdict = judge("n = 10**12", "for i in range(n): pass", test_seconds=0.5)
    assert (verdict.kind, verdict.points) == ("timeout", 0)


def test_time_of_the_whole_notebook_is_limited(warm):
    cells = [code("import time; time.sleep(5)") for _ in range(5)]
    nb = notebook(*cells, test_cell("late", "x"))
    result = execute(nb, nb, warm, Limits(cell_seconds=5, submission_seconds=1, grace_seconds=0.2))
    assert result.verdicts[0].kind == "timeout" and "whole notebook" in result.verdicts[0].message


def test_what_a_cell_defined_before_it_hung_survives_a_later_crash(warm, limits):
    hangs = "def f(x): return x + 1\nwhile True: pass"
    nb = notebook(
        hangs,
        test_cell("before", "assert f(1) == 2"),
        "import os\ndef crash(): os._exit(0)",
        test_cell("crashes", "crash()"),
        test_cell("after", "assert f(2) == 3"),
    )
    verdicts = execute(nb, nb, warm, limits).verdicts
    assert [(verdict.grade_id, verdict.points) for verdict in verdicts] == [("before", 1), ("crashes", 0), ("after", 1)]


def test_files_are_found_and_scratch_is_private(warm, tmp_path):
    (tmp_path / "data").mkdir()
    np.save(tmp_path / "data" / "numbers.npy", np.arange(4))
    (tmp_path / "notes.ipynb").write_text("secret")
    nb = notebook(
        "import os, numpy as np\nx = np.load('data/numbers.npy')\nfound = os.listdir()\nopen('own', 'w').close()",
        test_cell("reads", "assert x.sum() == 6 and 'notes.ipynb' not in found"),
    )
    result = execute(nb, nb, warm, files=tmp_path)
    assert result.verdicts[0].kind == "passed", result.verdicts
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "notes.ipynb"]


def test_figures_and_results_of_student_cells_are_kept(warm):
    nb = notebook("import matplotlib.pyplot as plt\nplt.plot([1, 2]);", "1 + 1", "print('a')\nprint('b')", "1 / 0")
    cells = execute(nb, nb, warm).notebook.cells
    assert "image/png" in cells[0].outputs[-1].data
    assert cells[1].outputs[0].data["text/plain"] == "2"
    assert cells[2].outputs[0].text == "a\nb\n"
    assert cells[3].outputs[0].ename == "ZeroDivisionError"


def test_what_other_programs_print_is_there_when_the_cell_ends(warm):
    cells = execute(notebook("import os", *["os.system('echo there');"] * 20), notebook(), warm).notebook.cells
    assert [[output.text for output in cell.outputs] for cell in cells[1:]] == [["there\n"]] * 20


@pytest.mark.parametrize(
    "given, source, needed",
    [
        ("from email import charset, encoders, header", "assert f(charset)", ["from email import charset"]),
        ("import colorsys, wave", "assert f(wave.open)", ["import wave"]),
        ("from email import encoders\nimport email.mime.audio as audio", "from email import charset\nassert f(charset)", []),
        ("import email.mime.audio as audio", "import email\nassert f(email.mime.audio)", ["import email.mime.audio as audio"]),
        ("import email.mime.audio", "from email import mime\nassert f(mime.audio)", ["import email.mime.audio"]),
    ],
)
def test_a_test_waits_for_no_import_that_it_does_not_need(given: str, source: str, needed: list[str]):
    solution = code("def f(x): return True", solution=True, grade_id="f")
    steps = plan_for(Instructor(notebook(code(given, locked=True, grade_id="given"), solution, test_cell("t", source)))).steps
    assert [ast.unparse(step.statement.node) for step in steps] == needed


def test_free_names():
    source = "import a.b as c\nfrom d import e\nx = f(c, e)\ndef g(y):\n    z = y\n    return h(z, x)\n[i for i in j]\nclass K(l): m = n\nprint(o)"
    plan = plan_for(only_tests(notebook(test_cell("t", source)))).tests["t"]
    assert plan.wanted == ("f", "h", "j", "l", "n", "o") and plan.perhaps == ()
