"""Time that a program waits for a processor does not count against it; time that it sleeps or computes does."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from nbjudge._execution.execute import execute
from nbjudge._sandbox import channel
from nbjudge._sandbox.channel import Stopwatch, own_thread
from nbjudge._wire.limits import Limits
from nbjudge.testing.notebooks import notebook, test_cell
from nbjudge.testing.processes import descendants

COMPUTES = "import time\ndef work():\n    end = time.process_time() + 1\n    while time.process_time() < end: pass\n    return 1"
SLEEPS = "import time\ndef work():\n    time.sleep(60)"
LIMITS = Limits(cell_seconds=2, test_seconds=2, grace_seconds=0.4)
PASSES = test_cell("t", "assert work() == 1")

pytestmark = [
    pytest.mark.quiet,
    pytest.mark.skipif(not os.path.exists("/proc/self/schedstat"), reason="this system does not count how long a thread waits"),
]


@pytest.fixture
def crowded(warm) -> Iterator[None]:
    """All student kernels share one core with four processes that never rest."""
    warm.wait_until_warm()
    core, kernels = min(os.sched_getaffinity(0)), [int(number) for number in (str(warm._process.pid), *descendants(warm._process.pid))]
    before = os.sched_getaffinity(0)
    for process in kernels:
        os.sched_setaffinity(process, {core})
    busy = [
        subprocess.Popen([sys.executable, "-c", f"import os; os.sched_setaffinity(0, {{{core}}})\nwhile True: pass"], start_new_session=True)
        for _ in range(4)
    ]
    yield
    for process in busy:
        process.kill()
        process.wait()
    for process in kernels:
        os.sched_setaffinity(process, before)


def test_waiting_for_a_processor_costs_no_point(warm, crowded) -> None:
    nb = notebook(COMPUTES, PASSES)
    [verdict] = execute(nb, nb, warm, LIMITS).verdicts
    assert verdict.points == 1, verdict.message
    assert verdict.seconds > LIMITS.test_seconds, "it had to wait, or this shows nothing"


def test_without_patience_it_would_cost_the_point(warm, crowded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "MOST", 1)
    nb = notebook(COMPUTES, PASSES)
    [verdict] = execute(nb, nb, warm, LIMITS).verdicts
    assert (verdict.points, verdict.message) == (0, "No answer within 2 s. Look for a loop that never ends, or for something that waits.")


@pytest.mark.parametrize("source", [SLEEPS, COMPUTES.replace("+ 1\n", "+ 60\n")], ids=["sleeps", "computes"])
def test_an_endless_answer_is_stopped_on_a_crowded_core(warm, crowded, source: str) -> None:
    nb = notebook(source, PASSES)
    [verdict] = execute(nb, nb, warm, LIMITS).verdicts
    assert (verdict.kind, verdict.points) == ("timeout", 0)
    assert "within 2 s" in verdict.message


def test_a_stopwatch_runs_while_its_thread_sleeps_or_computes() -> None:
    watch = Stopwatch([own_thread(), None, "4000000000"])
    time.sleep(0.3)
    assert watch.left(0.2) <= 0 < watch.left(60)
