"""What comes back from a student's kernel besides results, and what never does: files, generators, weights, lists of the test's."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.exchanged import BAG, COUNT, DRAW, SAVE
from helpers.instructors import Solution

NOT_KEPT = {
    "gradients through a function": (
        Solution("def double(x):\n    return 2 * x"),
        "import torch\nv = torch.ones(2, requires_grad=True)\ndouble(v).sum().backward()\nassert v.grad.tolist() == [2, 2]",
        "gradients",
    ),
    "effects of a class of the test": (
        Solution("class Stack:\n    def push(self, x):\n        return x\ndef fill():\n    Stack().push(1)"),
        "used = []\nclass Spy(Stack):\n    def push(self, x):\n        used.append(x)\n        return super().push(x)\nkept, Stack = Stack, Spy\n"
        "fill()\nStack = kept\nassert used == [1]",
        "Spy",
    ),
}


@pytest.mark.parametrize(("answer", "test", "reason"), NOT_KEPT.values(), ids=NOT_KEPT.keys())
def test_what_cannot_come_back_is_unjudged(verdicts, answer: Solution, test: str, reason: str) -> None:
    [verdict] = verdicts([answer, test])
    assert verdict.kind == "unjudged" and reason in verdict.message


WARNS = "import sys, warnings\n"
HEARD = {
    "warnings, recorded": (
        "def f(x):\n    warnings.warn('no number')\n    return x",
        "import warnings\nwith warnings.catch_warnings(record=True) as seen:\n    warnings.simplefilter('always')\n    f(1)\n    f(2)\n"
        "assert [(one.category, str(one.message)) for one in seen] == [(UserWarning, 'no number')] * 2",
    ),
    "warnings, by pytest": (
        "class Own(DeprecationWarning):\n    pass\ndef f(x):\n    warnings.warn('old', Own)\n    return x",
        "import pytest\nwith pytest.warns(DeprecationWarning, match='old'):\n    assert f(3) == 3",
    ),
    "warnings as errors": (
        "import numpy as np\ndef f(x):\n    return np.log(np.array(x))",
        "import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('error')\n    try:\n        f(0.0)\n"
        "    except RuntimeWarning:\n        pass\n    else:\n        raise AssertionError\nlast = f(0.0)",
    ),
    "standard error": (
        "def f(x):\n    print('bad', file=sys.stderr)\n    print('good')",
        "import contextlib, io\nout, err = io.StringIO(), io.StringIO()\nwith contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):\n"
        "    f(1)\nassert (out.getvalue(), err.getvalue()) == ('good\\n', 'bad\\n')",
    ),
}


@pytest.mark.parametrize(("solution", "test"), HEARD.values(), ids=HEARD.keys())
def test_what_a_test_listens_to_it_hears(verdicts, solution: str, test: str) -> None:
    source = [Solution(WARNS + solution), test]
    silent = "import sys, warnings\nclass Own(Warning):\n    pass\ndef f(x):\n    return x"
    assert [verdict.kind for answer in (WARNS + solution, silent) for verdict in verdicts(source, answer)] == ["passed", "failed"]


def test_warnings_that_no_test_listens_to_cost_nothing(verdicts) -> None:
    loud = "import warnings\ndef f(x):\n    warnings.warn('loud')\n    return x"
    [verdict] = verdicts([Solution("def f(x):\n    return x"), "assert f(2) == 2"], loud)
    assert verdict.kind == "passed"


GENERATOR = "import numpy as np\nrng = np.random.default_rng(1)\ndraw(rng)\nassert rng.normal() == np.random.default_rng(1).normal()"
FORGED = (
    "rng.bit_generator.state = np.random.default_rng(5).bit_generator.state",
    "rng.bit_generator.state = {**rng.bit_generator.state, 'state': {'state': 0, 'inc': 0}}",
)


@pytest.mark.parametrize("change", FORGED)
def test_a_generator_goes_on_only_on_its_own_way(verdicts, change: str) -> None:
    [verdict] = verdicts([DRAW, GENERATOR], f"import numpy as np\ndef draw(rng):\n    {change}")
    assert verdict.kind == "passed", "what the test draws next is what it would have drawn"


def test_a_network_is_changed_only_where_the_solution_trains_it(verdicts) -> None:
    source = "import torch\ndef forward(net, x):\n    return net(x)"
    test = "import torch\nnet = torch.nn.Linear(1, 1)\nx = torch.ones(1, 1)\nassert forward(net, x).item() == net(x).item() != 0"
    [verdict] = verdicts([Solution(source), test], source.replace("return", "for p in net.parameters():\n        p.data.zero_()\n    return"))
    assert (verdict.kind, verdict.points) == ("failed", 0)


WRITTEN = {
    "what the test expects": (
        "open('wanted.txt', 'w').write('5')\nassert count('in.txt') == int(open('wanted.txt').read())",
        "def count(path):\n    open('wanted.txt', 'w').write('0')\n    return 0",
    ),
    "what the instructor gave": (
        "assert count('in.txt') == int(open('given.txt').read())",
        "open('given.txt', 'w').write('0')\ndef count(path):\n    return 0",
    ),
    "what the function only reads": (
        "open('in.txt', 'w').write('a')\nassert count('in.txt') == len(open('in.txt').readlines())",
        "def count(path):\n    open(path, 'w').close()\n    return 0",
    ),
    "a module": (
        "count('in.txt')\nimport json\nopen('x', 'w')\nimport helper_of_theirs\nassert helper_of_theirs.count() == 0",
        "def count(path):\n    open('helper_of_theirs.py', 'w').write('def count(): return 0')",
    ),
    "another folder": (
        "import os\ncount('in.txt')\nassert os.path.exists('../outside.txt') or os.path.exists('link/outside.txt')",
        "import os\ndef count(path):\n    open('../outside.txt', 'w').write('0')\n    os.symlink('/tmp', 'link')\n    open('link/outside.txt', 'w')",
    ),
}


@pytest.mark.parametrize(("test", "answer"), WRITTEN.values(), ids=WRITTEN.keys())
def test_a_student_writes_no_file_of_the_tests(verdicts, tmp_path: Path, test: str, answer: str) -> None:
    (tmp_path / "given.txt").write_text("5")
    [verdict] = verdicts([COUNT, test], answer, folder=tmp_path)
    assert verdict.points == 0, verdict
    assert (tmp_path / "given.txt").read_text() == "5"


def test_nothing_of_a_students_is_unpickled(verdicts) -> None:
    code = "b'cos\\nsystem\\n(S\\'touch /tmp/nbjudge-was-here\\'\\ntR.'"
    for name in ("x.pkl", "x.dat"):
        test = f"import pickle\nsave({name!r}, 1)\nassert pickle.load(open({name!r}, 'rb')) == 0"
        [verdict] = verdicts([SAVE, test], f"def save(path, value):\n    open(path, 'wb').write({code})")
        assert verdict.kind in ("unjudged", "ended") and verdict.points == 0, verdict
        assert not Path("/tmp/nbjudge-was-here").exists()


PICKLES = {"plain values": ("{'a': [1, Fraction(1, 2)]}", "passed", ""), "an object of their own": ("Own()", "unjudged", "unpickles")}


@pytest.mark.parametrize(("value", "kind", "reason"), PICKLES.values(), ids=PICKLES.keys())
def test_a_test_unpickles_plain_values_of_a_students_file(verdicts, value: str, kind: str, reason: str) -> None:
    answer = f"import pickle\nfrom fractions import Fraction\nclass Own:\n    pass\ndef save(path):\n    pickle.dump({value}, open(path, 'wb'))"
    [verdict] = verdicts([Solution(answer), "import pickle\nsave('out.dat')\nassert pickle.load(open('out.dat', 'rb'))"])
    assert verdict.kind == kind and reason in verdict.message, verdict


def test_a_students_code_changes_no_list_that_it_was_passed_before(verdicts) -> None:
    parts = [BAG, "xs = [1]\nbag = Bag(xs)\nassert bag.size() == 1 and xs == [1]"]
    [verdict] = verdicts(parts, BAG.source.replace("return len(self.items)", "self.items.append(0)\n        return 1"))
    assert verdict.kind == "passed", "the test's own list stays what it was"
