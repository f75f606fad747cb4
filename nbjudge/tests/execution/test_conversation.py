"""A notebook that is judged again by what was said then: as it was, with no kernel; and with one as soon as something else is asked."""

from __future__ import annotations

import copy
import os
import subprocess
import sys

import pytest
import torch  # as workers have it: what draws has been seeded before a test imports it
from nbformat import NotebookNode

from nbjudge._execution import transcript
from nbjudge._execution.execute import Execution, execute
from nbjudge._execution.transcript import Conversation, Kind
from nbjudge._wire.errors import Malformed
from nbjudge._wire.limits import Limits
from nbjudge.testing.notebooks import notebook, test_cell

pytestmark = pytest.mark.slow


class Nothing:
    """In the place of what starts kernels."""

    def start(self, *_: object, **__: object) -> None:
        raise AssertionError("a kernel was started")


assert torch
LIMITS = Limits(test_seconds=2, cell_seconds=1, grace_seconds=0.5)


def work(answer: str, *tests: str) -> NotebookNode:
    """An answer with test cells below it; also what stands in `source`, of which the test cells alone count."""
    return notebook(answer, *(test_cell(f"t{number}", text) for number, text in enumerate(tests)))


def both(warm, answer: str, *tests: str, again: tuple[str, ...] | None = None) -> tuple[Execution, Execution]:
    """An execution, and what comes of the same answer without a kernel, with the tests `again` if there are such."""
    first = execute(work(answer, *tests), work(answer, *tests), warm, LIMITS)
    assert first.conversation is not None
    kept = Conversation.from_bytes(first.conversation.to_bytes())
    assert kept == first.conversation
    there = work(answer, *(again or tests))
    return first, execute(copy.deepcopy(there), there, Nothing(), LIMITS, before=kept)


def said(execution: Execution) -> list[tuple[str, float, str]]:
    return [(verdict.kind, verdict.points, verdict.message) for verdict in execution.verdicts]


DOUBLE = "import numpy as np\ndef double(x):\n    return 2 * x\nprint('shown')"
CASES = {
    "arrays": (DOUBLE, ["import numpy as np\nassert (double(np.arange(5)) == np.arange(0, 10, 2)).all()"]),
    "a wrong answer": (DOUBLE.replace("2 *", "3 *"), ["assert double(2) == 4, f'not {double(2)}'", "assert double(3) == 6"]),
    "no such function": ("x = 1", ["assert double(2) == 4"]),
    "an error": ("def double(x):\n    raise ValueError('so not')", ["assert double(2) == 4"]),
    "inputs that are drawn": (
        DOUBLE,
        [
            "import random\nimport numpy as np\nx = np.random.rand(3)\nassert (double(x) == 2 * x).all()\n"
            "y = random.random()\nassert double(y) == 2 * y"
        ],
    ),
    "a seed": (DOUBLE, ["import numpy as np\nnp.random.seed(0)\nx = np.random.rand(3)\nassert (double(x) == 2 * x).all()"]),
    "layers": (
        "def double(layer, x):\n    return 2 * layer(x)",
        ["import torch\nlayer = torch.nn.Linear(3, 2)\nx = torch.rand(4, 3)\nassert torch.equal(double(layer, x), 2 * layer(x))"],
    ),
    "a class of the test's": ("def double(thing):\n    return 2 * thing.value", ["class Thing:\n    value = 4\nassert double(Thing()) == 8"]),
    "a function of the test's": (
        "def double(f, x):\n    return f(f(x))",
        ["seen = []\ndef f(x):\n    seen.append(x)\n    return x + 1\nassert double(f, 1) == 3 and seen == [1, 2]"],
    ),
    "a function that calls back": (
        "def inner(x):\n    return x + 1\ndef double(f, x):\n    return f(x)",
        ["def f(x):\n    return inner(x) * 2\nassert double(f, 1) == 4"],
    ),
    "a class of the student's": (
        "class Counter:\n    n = 0\n    def up(self):\n        self.n += 1\n        return self",
        ["counter = Counter()\nassert counter.up().up().n == 2", "assert Counter().n == 0"],
    ),
    "a figure and a print": (
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\ndef double(x):\n    print('hm')\n    return 2 * x",
        [
            "import contextlib, io\nout = io.StringIO()\nwith contextlib.redirect_stdout(out):\n    assert double(1) == 2\n"
            "assert out.getvalue() == 'hm\\n'"
        ],
    ),
    "what is no character": ("def double(x):\n    return '\\ud800' * x", ["assert double(2) == '\\ud800' * 2"]),
}


@pytest.mark.parametrize(("answer", "tests"), CASES.values(), ids=CASES)
def test_everything_is_as_it_was_and_no_kernel_runs(warm, answer: str, tests: list[str]) -> None:
    first, second = both(warm, answer, *tests)
    assert said(second) == said(first)
    assert [(cell.source, cell.outputs) for cell in second.notebook.cells] == [(cell.source, cell.outputs) for cell in first.notebook.cells]
    assert second.conversation is None


def test_a_test_may_compare_otherwise_cost_more_and_say_something_else(warm) -> None:
    again = "assert double(2) < 5, 'other'", "assert double(3) == 7, 'x'"
    _, second = both(warm, DOUBLE, "assert double(2) == 5, 'no'", "assert double(3) == 6", again=again)
    assert said(second) == [("passed", 1.0, ""), ("failed", 0.0, "x")]


TWO, THREE = "assert double(2) == 4", "assert double(3) == 6"


@pytest.mark.parametrize(
    "other",
    [
        ("assert double(3) == 4", THREE),
        ("assert double(2.0) == 4", THREE),
        (THREE, TWO),
        (f"{TWO} and double(2) == 4", THREE),
        ("pass", THREE),
    ],
    ids=["another argument", "another kind", "another order", "once more", "one less"],
)
def test_what_asks_for_something_else_is_executed(warm, other: tuple[str, ...]) -> None:
    """And comes out as if nothing had been kept."""
    with pytest.raises(AssertionError, match="a kernel was started"):
        both(warm, DOUBLE, TWO, THREE, again=other)
    first = execute(work(DOUBLE, TWO, THREE), work(DOUBLE, TWO, THREE), warm)
    again = execute(work(DOUBLE, *other), work(DOUBLE, *other), warm, before=first.conversation)
    assert [verdict.points for verdict in again.verdicts] == [0 if other[0] == "assert double(3) == 4" else 1, 1]
    assert again.conversation is not None and again.conversation != first.conversation


def test_another_cell_is_executed(warm) -> None:
    first = execute(work("x = 1", "assert x == 1"), work("", "assert x == 1"), warm)
    [verdict] = execute(work("x = 2", "assert x == 1"), work("", "assert x == 1"), warm, before=first.conversation).verdicts
    assert verdict.kind == "failed"


@pytest.mark.parametrize(
    "answer",
    ["def f():\n    while True:\n        pass", "import os\ndef f():\n    os._exit(1)", "import os\nos._exit(1)", "while True:\n    pass"],
    ids=["hangs", "ends", "a cell ends", "a cell hangs"],
)
def test_what_had_to_be_stopped_is_not_kept(warm, answer: str) -> None:
    assert execute(work(answer, "f()"), work("", "f()"), warm, LIMITS).conversation is None


def test_what_is_too_long_is_not_kept(warm, monkeypatch: pytest.MonkeyPatch) -> None:
    there = work("import numpy as np\nx = np.zeros(1000)", "assert len(x) == 1000")
    assert execute(there, there, warm).conversation is not None
    monkeypatch.setattr(transcript, "MOST_BYTES", 5000)
    assert execute(there, there, warm).conversation is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: raw[:-1],
        lambda raw: raw + b"x",
        lambda raw: b"",
        lambda raw: b"\xff" * 99,
        lambda raw: raw.replace(b"asked", b"taken"),
        lambda raw: raw[:8] + b"{" + raw[9:],
    ],
)
def test_what_is_damaged_is_refused(damage) -> None:
    whole = Conversation([(Kind.ASKED, [b"h"]), (Kind.ANSWERED, [b"one", b"two"])], seed=3).to_bytes()
    assert Conversation.from_bytes(whole).said[1][1] == [b"one", b"two"]
    with pytest.raises(Malformed):
        Conversation.from_bytes(damage(whole))


PICKLES = """
import hashlib, torch
from nbjudge._proxies import pickling
pickling.seed(5)
class Thing:
    value = torch.arange(6.0).reshape(2, 3)
layer = torch.nn.Linear(3, 2)
layer.load_state_dict({"weight": torch.ones(2, 3), "bias": torch.zeros(2)})
print(hashlib.sha256(pickling.dumps([Thing(), layer, torch.zeros(0), lambda x: x + 1])).hexdigest())
"""


def test_the_same_things_give_the_same_pickle_in_every_process() -> None:
    run = [
        subprocess.run(
            [sys.executable, "-c", PICKLES], capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": str(seed)}
        ).stdout
        for seed in (1, 2)
    ]
    assert run[0] == run[1] != ""
