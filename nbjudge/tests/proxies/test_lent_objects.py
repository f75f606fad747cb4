"""Objects that a test makes and passes: they come back as themselves, and get what the solution changes of them, and nothing else."""

from __future__ import annotations

import io
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from helpers.instructors import Given, Solution
from helpers.kernel_here import KernelHere, calls_of
from nbjudge._proxies.remote_calls import RemoteCalls
from nbjudge._wire.codec import Encoder

ACCOUNT = Given("class Account:\n    def __init__(self, balance, limit=0):\n        self.balance, self.limit, self.log = balance, limit, []")
TRANSFER = "def transfer(a, b, x):\n    a.balance -= x\n    b.balance += x\n    b.log.append(x)"
TORCH = Given("import torch\nfrom torch import nn")
STEP = (
    "def step(model, optimizer, x):\n    optimizer.zero_grad()\n    loss = model(x).pow(2).mean()\n"
    "    loss.backward()\n    optimizer.step()\n    return loss.item()"
)
COURSE = """
class Tensor:
    def __init__(self, data):
        self.data = data
    def __add__(self, other):
        return Tensor(self.data + other.data)
"""
# What is given, the solution, the test, and an answer that is wrong.
KINDS: dict[str, tuple[list[Any], str, str, str]] = {
    "objects of a set-up cell's class": (
        [ACCOUNT],
        TRANSFER,
        "a, b = Account(5), Account(0)\nlog = b.log\ntransfer(a, b, 2)\nassert (a.balance, b.balance, log) == (3, 2, [2]) and b.log is log",
        "def transfer(a, b, x):\n    a.balance -= x",
    ),
    "the best of them": (
        [ACCOUNT],
        "def best(accounts):\n    return max(accounts, key=lambda one: one.balance)",
        "a, b = Account(1), Account(2)\nassert best([a, b]) is b and best([b, a]) is b",
        "def best(accounts):\n    return accounts[0]",
    ),
    "a chain of them": (
        [Given("class Node:\n    def __init__(self, value, after=None):\n        self.value, self.after = value, after")],
        "def turn(node):\n    before = None\n    while node:\n        node.after, before, node = before, node, node.after\n    return before",
        "first = Node(1, Node(2))\nsecond = first.after\nassert turn(first) is second and second.after is first and first.after is None",
        "def turn(node):\n    return node.after",
    ),
    "one that the student's object keeps": (
        [],
        "class Bell:\n    def __init__(self):\n        self.heard = []\n    def add(self, one):\n        self.heard.append(one)\n"
        "    def ring(self, x):\n        for one in self.heard:\n            one.hear(x)",
        "class Ear:\n    def __init__(self):\n        self.got, self.gain = [], 1\n    def hear(self, x):\n        self.got.append(x * self.gain)\n"
        "bell, ear = Bell(), Ear()\nbell.add(ear)\nbell.ring(3)\near.gain = 10\nbell.ring(4)\nassert ear.got == [3, 40] and bell.heard[0] is ear",
        "class Bell:\n    def add(self, one):\n        self.heard = [one]\n    def ring(self, x):\n        pass",
    ),
    "text in memory": (
        [],
        "def say(out, x):\n    out.write(f'{x}!')",
        "import io\nout = io.StringIO()\nsay(out, 1)\nsay(out, 2)\nassert out.getvalue() == '1!2!'",
        "def say(out, x):\n    out.write('1!2!')",
    ),
    "a table": (
        [Given("import pandas as pd")],
        "def add(table):\n    table['b'] = table['a'] * 2",
        "table = pd.DataFrame({'a': [1, 2]})\nadd(table)\nassert table['b'].tolist() == [2, 4]",
        "def add(table):\n    table['b'] = table['a']",
    ),
    "a network, its optimizer and their state": (
        [TORCH],
        STEP,
        "torch.manual_seed(0)\nmodel = nn.Linear(2, 1)\noptimizer = torch.optim.Adam(model.parameters(), lr=0.1)\n"
        "before = model.weight.detach().clone()\n"
        "losses = [step(model, optimizer, torch.ones(1, 2)) for _ in range(5)]\n"
        "assert losses[-1] < losses[0] and not torch.equal(before, model.weight)\n"
        "assert optimizer.state[model.weight]['step'] == 5 and model.bias.grad is not None",
        "def step(model, optimizer, x):\n    return model(x).pow(2).mean().item()",
    ),
    "what a network learns, and how it runs": (
        [TORCH],
        "def freeze(model):\n    model.eval()\n    for one in model.parameters():\n        one.requires_grad = False",
        "model = nn.Sequential(nn.Linear(2, 2), nn.Dropout())\nfreeze(model)\nassert not model[1].training and not model[0].weight.requires_grad",
        "def freeze(model):\n    pass",
    ),
    "parameters": (
        [TORCH],
        "class Descent:\n    def __init__(self, learned, rate):\n        self.learned, self.rate = list(learned), rate\n    def step(self):\n"
        "        with torch.no_grad():\n            for one in self.learned:\n                one -= self.rate * one.grad",
        "one = torch.tensor([1.0, 2.0], requires_grad=True)\ndescent = Descent([one], 0.1)\n(one**2).sum().backward()\ndescent.step()\n"
        "assert torch.allclose(one, torch.tensor([0.8, 1.6])) and descent.learned[0] is one",
        "class Descent:\n    def __init__(self, learned, rate):\n        self.learned = list(learned)\n    def step(self):\n        pass",
    ),
}


@pytest.mark.parametrize(("given", "solution", "test", "wrong"), KINDS.values(), ids=KINDS.keys())
def test_what_the_solution_changes_reaches_the_test(verdicts, given: list[Any], solution: str, test: str, wrong: str) -> None:
    parts = [*given, Solution(solution), test]
    for answers in ([], [solution]):
        [verdict] = verdicts(parts, *answers)
        assert verdict.kind == "passed", verdict
    for answer in (wrong, "pass"):
        [verdict] = verdicts(parts, answer)
        assert (verdict.kind, verdict.points) == ("failed", 0)


def test_what_the_solution_leaves_alone_stays_as_it_is(verdicts) -> None:
    test = "a, b = Account(5, limit=100), Account(0)\ntransfer(a, b, 2)\nassert (a.balance, b.balance) == (3, 2)\nassert a.limit == 100"
    cheat = TRANSFER + "\n    a.limit = 7\n    a.__class__.__eq__ = lambda *_: True\n    a.balance_of = lambda: 3"
    [verdict] = verdicts([ACCOUNT, Solution(TRANSFER), test], cheat)
    assert verdict.kind == "passed"
    [verdict] = verdicts([ACCOUNT, Solution(TRANSFER), test.replace("== 100", "== 7")], cheat)
    assert verdict.points == 0


def test_a_changed_copy_is_what_the_function_returned(verdicts) -> None:
    solution = "def richer(a):\n    return type(a)(a.balance + 1)"
    test = "a = Account(1)\nb = richer(a)\nassert b.balance == 2"
    [verdict] = verdicts([ACCOUNT, Solution(solution), test], "def richer(a):\n    a.balance += 1\n    return a")
    assert verdict.kind == "passed"
    [verdict] = verdicts([ACCOUNT, Solution(solution), test + " and a.balance == 1"], "def richer(a):\n    return a")
    assert verdict.points == 0


SAME = {
    "the argument": ("def f(x):\n    return x", "x = [1]\nassert f(x) is x and f({'a': x})['a'] is x", "def f(x):\n    return x.copy()"),
    "no argument": ("def f(x):\n    return x[:]", "x = [[1]]\ny = f(x)\nassert y is not x and y[0] is x[0]", "def f(x):\n    return x"),
    "a deep copy": (
        "import copy\ndef f(x):\n    return copy.deepcopy(x)",
        "x = [[1]]\nf(x)[0].append(2)\nassert x == [[1]]",
        "def f(x):\n    return x[:]",
    ),
    "rows of their own": (
        "def f(n):\n    return [[0] * n for _ in range(n)]",
        "grid = f(2)\ngrid[0][0] = 1\nassert grid == [[1, 0], [0, 0]]",
        "def f(n):\n    return [[0] * n] * n",
    ),
    "a view": (
        "def f(x):\n    return x[::-2]",
        "import numpy as np\nx = np.arange(6)\ny = f(x)\ny[0] = 9\nassert x[5] == 9 and y.base is x and np.shares_memory(x, y)",
        "def f(x):\n    return x[::-2].copy()",
    ),
    "no view": (
        "def f(x):\n    return x[1:].copy()",
        "import numpy as np\nx = np.arange(6)\nassert not np.shares_memory(f(x), x)",
        "def f(x):\n    return x[1:]",
    ),
    "what is kept": (
        "kept = {}\ndef f(n):\n    return kept.setdefault(n, [n])",
        "assert f(1) is f(1) and f(1) is not f(2)",
        "def f(n):\n    return [n]",
    ),
    "what an object holds": (
        "class Box:\n    def __init__(self, x):\n        self.x = x",
        "x = [1]\nbox = Box(x)\nbox.x.append(2)\nassert box.x is x and x == [1, 2]",
        "class Box:\n    def __init__(self, x):\n        self.x = list(x)",
    ),
    "a tensor": (
        "def f(x):\n    return x.zero_()",
        "import torch\nx = torch.ones(2)\nassert f(x) is x and x.sum() == 0",
        "def f(x):\n    return x * 0",
    ),
}


@pytest.mark.parametrize(("solution", "test", "wrong"), SAME.values(), ids=SAME.keys())
def test_what_is_the_same_there_is_the_same_here(verdicts, solution: str, test: str, wrong: str) -> None:
    assert [verdicts([Solution(solution), test], *answers)[0].kind for answers in ([], [solution], [wrong])] == ["passed", "passed", "failed"]


def test_classes_of_the_course_and_of_libraries_are_what_the_test_knows_them_as(verdicts, tmp_path) -> None:
    (tmp_path / "lib.py").write_text(COURSE)
    parts = [
        Given("from lib import Tensor\nimport re, io, torch"),
        Solution(
            "def double(x):\n    return Tensor(x.data * 2)\nclass Own(Tensor):\n    pass\nclass Rows(list):\n    pass\n"
            "def net():\n    return torch.nn.ReLU()"
        ),
        "x = double(Tensor(2))\nassert isinstance(x, Tensor) and (x + Tensor(1)).data == 5 and isinstance(Own(1), Tensor)",
        "assert isinstance(Rows([1]), list) and Rows.__name__ == Rows().__class__.__name__ == 'Rows' and isinstance(Rows(), Rows)",
        "assert type(net()) == torch.nn.ReLU == net().__class__ and str(type(net())) == str(torch.nn.ReLU)\n"
        "assert str(Rows) == \"<class '__main__.Rows'>\"",
        "import types\nassert type(double) == types.FunctionType and str(type(double)) == \"<class 'function'>\"",
    ]
    assert [verdict.kind for verdict in verdicts(parts, folder=tmp_path)] == ["passed"] * 4
    wrong = "class Tensor:\n    data = 5\ndef double(x):\n    return Tensor()\nOwn = Rows = dict\ndef net():\n    return torch.nn.Tanh()"
    assert [verdict.points for verdict in verdicts(parts, wrong, folder=tmp_path)][:3] == [0, 0, 0]


def test_decorators_get_functions_that_are_not_bound_yet(verdicts) -> None:
    memo = (
        "import functools\ndef memo(f):\n    known = {}\n    @functools.wraps(f)\n    def g(n):\n"
        "        if n not in known:\n            known[n] = f(n)\n        return known[n]\n    return g"
    )
    test = "calls = []\n@memo\ndef fib(n):\n    calls.append(n)\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n"
    parts = [Solution(memo), f"{test}assert fib(12) == 144 and len(calls) == 13 and fib.__name__ == 'fib'"]
    assert [verdicts(parts, *answers)[0].kind for answers in ([], [memo], ["def memo(f):\n    return f"])] == ["passed", "passed", "failed"]


class Thing:
    def __init__(self) -> None:
        self.balance, self.expected = 1, 5


FORGED = {
    "a part that may not change": [[0, [["expected", 1]]]],
    "no such object": [[7, [["balance", 9]]], [-1, [["balance", 9]]], ["0", [["balance", 9]]]],
    "no parts": [[0, None], [0, [["balance"] * 3]], [0, [[None, 1]]], None, [0]],
    "no value": [[0, [["balance", ["nonsense"]]]], [0, [["balance", ["yours", 4]]]]],
}


@pytest.mark.parametrize("lent", FORGED.values(), ids=FORGED.keys())
def test_what_a_kernel_says_of_lent_objects_is_checked(lent: Any) -> None:
    class Forger(KernelHere):
        def send(self, message: list[bytes], on_call: Any, free: Any) -> list[bytes]:
            return Encoder(lambda *_: None, 10**6).finish({"value": None, "changed": [], "lent": lent, "held": [0, "x", None, -3, 10**9]})

    _, names = calls_of({"f": lambda x: None})
    thing, stream = Thing(), io.StringIO("kept")
    forged = RemoteCalls(Forger({}), 64, frozenset(), frozenset({("", "`f` changed", "Thing.balance")}))
    function = names["f"]
    forged.call(function, "`f`", (thing, stream), {})
    assert (thing.balance, thing.expected, stream.getvalue()) == (1, 5, "kept")


def test_a_result_is_the_same_only_where_it_holds_the_same() -> None:
    mine = [1, 2]
    # The kernel says that the result, which holds something else, is the first list that was passed.
    _, names = calls_of({"f": lambda x: None}, forged=(["same", 0, ["list", [5]]], []))
    assert names["f"](mine) == [5] and mine == [1, 2]
    _, names = calls_of({"f": lambda x: None}, forged=(["same", 0, ["list", [1, 2]]], []))
    assert names["f"](mine) is mine
    _, names = calls_of({"f": lambda x: None}, forged=(["same", 99, ["list", [1, 2]]], []))
    assert names["f"](mine) is not mine


LOST = {
    "what is drawn on the test's axes": (
        [Given("import matplotlib.pyplot as plt")],
        "def draw(axes):\n    axes.plot([1, 2])",
        "axes = plt.figure().gca()\ndraw(axes)\nassert len(axes.lines) == 1",
        "`draw` changes what the test passes in a way that does not come back",
    ),
    "gradients through a network of the student's": (
        [TORCH],
        "class Net(nn.Linear):\n    def forward(self, x):\n        return super().forward(x) * 1",
        "net = Net(2, 1)\nnet(torch.ones(1, 2)).sum().backward()\nassert net.bias.grad == 1",
        "gradients through the student's function, which do not come back",
    ),
}


@pytest.mark.parametrize(("given", "solution", "test", "cause"), LOST.values(), ids=LOST.keys())
def test_what_does_not_come_back_is_named_and_costs_nobody_a_point(verdicts, given: list[Any], solution: str, test: str, cause: str) -> None:
    for answers in ([], [solution]):
        [verdict] = verdicts([*given, Solution(solution), test], *answers)
        assert verdict.kind == "unjudged" and cause in verdict.message, verdict


ONE = "import numpy as np\nx = np.arange(3)\nrows, best = [0, x], [[1], 2]\nsame, long = rows, [0] * 100\nlongs = [long, long]"
TWO = ONE.replace("[0, x]", "[0, np.arange(3)]").replace("same, long = rows", "same, long = list(rows)").replace("[long, long]", "[long, [*long]]")


@pytest.mark.parametrize(
    ("test", "points"),
    [
        ("assert rows == [0, x]", (2, 0)),
        ("assert rows[1] is x", (2, 0)),
        ("assert same is rows", (2, 0)),
        ("assert longs[0] is long and longs[1] is long", (2, 0)),
        ("same.append(best)\nassert rows[-1:] == [[[1], 2]]", (2, 0)),
        ("assert best[0] is not rows and x is not long", (2, 2)),
    ],
)
def test_names_that_stand_for_one_object_do_so_in_a_test(verdict_on, test: str, points: tuple[int, int]) -> None:
    assert tuple(verdict_on(answer, test, ONE, excuse=False).points for answer in (ONE, TWO)) == points


def test_what_cannot_travel_among_them_changes_nothing(verdict_on) -> None:
    answer = "x = [1]\nclass A(list): pass\nbad = [[x, 1 << 9000]]\nrows = [x]"
    assert verdict_on(answer, "assert rows == [[1]] and x == [1]").points == 2


class Part:
    def __init__(self) -> None:
        self.number, self.text, self.items, self.named = 1, "one", [1, [2.5, None]], {"a": 1, "b": [2]}
        self.layer, self.learned, self.array = torch.nn.Linear(2, 2), torch.nn.Parameter(torch.ones(2)), np.zeros(3)
        self.names, self.function, self.size = {"a", "b"}, torch.relu, (2, 3)


CHANGES: dict[str, Callable[[Any], Any]] = {
    "a number": lambda one: setattr(one, "number", 2),
    "a number by a truth": lambda one: setattr(one, "number", True),
    "a number by a float": lambda one: setattr(one, "number", 1.0),
    "a zero by its negative": lambda one: one.items[1].__setitem__(0, -2.5),
    "an attribute more": lambda one: setattr(one, "more", 1),
    "an attribute less": lambda one: delattr(one, "text"),
    "an item of a list in a list": lambda one: one.items[1].append(0),
    "a list by a tuple": lambda one: setattr(one, "size", [2, 3]),
    "a key": lambda one: one.named.update(c=0),
    "the order of keys": lambda one: one.named.update(a=one.named.pop("a")),
    "a list in a dict": lambda one: one.named["b"].append(0),
    "an array": lambda one: one.array.__setitem__(1, 5),
    "the type of an array": lambda one: setattr(one, "array", one.array.astype(np.float32)),
    "a set": lambda one: one.names.add("c"),
    "a function": lambda one: setattr(one, "function", torch.sigmoid),
    "a parameter": lambda one: one.learned.data.fill_(2),
    "whether it learns": lambda one: one.learned.requires_grad_(False),
    "its gradient": lambda one: setattr(one.learned, "grad", torch.ones(2)),
    "a parameter of a network, behind torch's back": lambda one: one.layer.weight.detach().numpy().__setitem__((0, 0), 9),
    "whether a network trains": lambda one: one.layer.eval(),
    "an own attribute of a network": lambda one: setattr(one.layer, "note", "seen"),
    "a hook": lambda one: one.layer.register_forward_hook(print),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_change_of_what_the_students_code_keeps_is_sent(change: Callable[[Any], Any]) -> None:
    kept: list[Any] = []
    calls, names = calls_of({"keep": kept.append, "look": lambda: len(kept)})
    one = Part()
    names["keep"](one)
    sent: list[Any] = []
    lent = calls._lent
    additions = lent.additions
    lent.additions = lambda encoder: (sent.append(found := additions(encoder)), found)[1]
    assert names["look"]() == 1 and sent == [{}]
    change(one)
    names["look"]()
    names["look"]()
    assert ["lend" in found for found in sent] == [False, True, False]
    theirs = kept[0]
    assert theirs is not one and theirs.number == one.number and torch.equal(theirs.learned, one.learned)
    assert torch.equal(theirs.layer.weight, one.layer.weight) and theirs.layer.training == one.layer.training


def test_what_has_no_snapshot_is_compared_by_its_pickle() -> None:
    kept: list[Any] = []
    calls, names = calls_of({"keep": kept.append, "look": lambda: len(kept)})
    one = Part()
    one.number = slice(1, 2)
    names["keep"](one)
    assert isinstance(calls._lent._compared(), bytes)
    names["look"]()
    one.number = slice(1, 3)
    names["look"]()
    assert kept[0].number == slice(1, 3)


def test_what_a_test_passes_ends_with_what_the_students_code_made_of_it() -> None:
    theirs: list[weakref.ref[Any]] = []

    def build(*layers: Any) -> Any:
        theirs.append(weakref.ref(layers[0]))
        return torch.nn.Sequential(*layers)

    _, names = calls_of({"build": build, "look": lambda: None})
    for _ in range(3):
        model = names["build"](torch.nn.Linear(2, 2), torch.nn.Tanh())
        assert model(torch.ones(1, 2)).shape == (1, 2)
    assert [one() is not None for one in theirs] == [False, False, True]
    del model
    names["look"]()
    assert theirs[-1]() is None
