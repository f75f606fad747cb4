"""What one submission's processes compute takes nobody else's points or time, and stretches no limit of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hostile import HERE, cheat_source
from nbjudge._course.process_pool import Job, Pool
from nbjudge._execution import execute as execution
from nbjudge._execution.execute import execute
from nbjudge._sandbox.channel import Channel, Stopwatch
from nbjudge._sandbox.starting import WarmKernels
from nbjudge._student.processes import schedule
from nbjudge._wire.errors import KernelTimeout
from nbjudge._wire.limits import Limits
from nbjudge.testing.notebooks import notebook, test_cell
from nbjudge.testing.processes import descendants

SPINNERS = sorted((HERE / "faults").glob("spins_*.py"))
BUSY = "def work():\n    import time\n    end = time.thread_time() + {}\n    while time.thread_time() < end: pass\n    return 1"
ASKS = test_cell("t", "assert work() == 1")
TIGHT = Limits(cell_seconds=4, test_seconds=2, grace_seconds=1)
IN_WORKERS = """
import multiprocessing, time
def spin(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
    return seconds
def work():
    with multiprocessing.Pool(2) as pool:
        return pool.map(spin, [0.8, 0.8]) == [0.8, 0.8]
"""
HONEST_WAYS = {
    "pool": "import multiprocessing\ndef square(x): return x * x\ndef work():\n    with multiprocessing.Pool(4) as pool:\n"
    "        return sum(pool.map(square, range(5)))",
    "pool over cells": "import multiprocessing, time\ndef square(x): return x * x\npool = multiprocessing.Pool(4)\ntime.sleep(0.5)\n"
    "def work(): return sum(pool.map(square, range(5)))",
    "loader": "import torch\ndef work():\n    loader = torch.utils.data.DataLoader(torch.arange(5) ** 2, num_workers=2)\n"
    "    return int(sum(batch.sum() for batch in loader))",
    "program": "import subprocess, sys\ndef work():\n"
    "    return int(subprocess.run([sys.executable, '-c', 'print(30)'], capture_output=True, start_new_session=True).stdout)",
    "thread": "import threading, time\ndef talk():\n    while True:\n        print('.', end='')\n        time.sleep(0.01)\n"
    "threading.Thread(target=talk, daemon=True).start()\ndef work(): return 30",
}

pytestmark = [
    pytest.mark.quiet,
    pytest.mark.skipif(not os.path.exists("/proc/self/schedstat"), reason="this system does not count how long a thread waits"),
]


class Crowd:
    """All student kernels of a warm process share one core with processes that never rest, until these are sent home."""

    def __init__(self, warm: WarmKernels, size: int):
        warm.wait_until_warm()
        self._cores, core = os.sched_getaffinity(0), min(os.sched_getaffinity(0))
        self._kernels = [int(number) for number in (str(warm._process.pid), *descendants(warm._process.pid))]
        for process in self._kernels:
            os.sched_setaffinity(process, {core})
        code = f"import os\nos.sched_setaffinity(0, {{{core}}})\nprint(flush=True)\nwhile True: pass"
        command = [sys.executable, "-S", "-c", code]
        self._busy = [subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE) for _ in range(size)]
        for process in self._busy:
            process.stdout.readline()

    def go_home(self) -> None:
        for process in self._busy:
            process.kill()
            process.wait()
            process.stdout.close()
        self._busy.clear()

    def end(self) -> None:
        self.go_home()
        for process in self._kernels:
            os.sched_setaffinity(process, self._cores)


@pytest.fixture
def crowd(warm) -> Iterator[Callable[[int], Crowd]]:
    crowds = []

    def make(size: int) -> Crowd:
        crowds.append(Crowd(warm, size))
        return crowds[-1]

    yield make
    for one in crowds:
        one.end()


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each execution was hindered, in their order."""
    seen, once = [], execution._once

    def count(*arguments: object) -> execution.Execution:
        result = once(*arguments)
        seen.append(result.hindered)
        return result

    monkeypatch.setattr(execution, "_once", count)
    return seen


@pytest.mark.parametrize("path", SPINNERS, ids=lambda path: path.stem)
def test_all_processes_together_have_a_share(path: Path, warm: WarmKernels, clean_box: None) -> None:
    limits = Limits(processors=0.2)
    kernel = warm.start(limits)
    channel = Channel(kernel, limits)

    def settles(bound: float, during: Callable[[], object]) -> bool:
        """Whether they come to compute less than `bound` of a processor: what a late look lets them take is saved up for afterwards."""
        before, began = kernel.gauge.computed + schedule(kernel.process)[0], time.monotonic()
        while time.monotonic() - began < 90:
            during()
            if kernel.gauge.computed + schedule(kernel.process)[0] - before < bound * (time.monotonic() - began):
                return True
        return False

    try:
        channel.run(path.read_text(), 60)
        time.sleep(2)  # until the first second of more is gone
        assert kernel.gauge.computed > 0.5, "they spin, or this shows nothing"
        assert settles(0.2, lambda: time.sleep(4)), "while nothing is asked, a tenth of it; the gauge is read by the look"
        assert settles(0.5, lambda: channel.run("import time\ntime.sleep(4)", 60))
        assert channel.run("print('here')", 60)[0].text == "here\n"
    finally:
        kernel.close()


def test_who_keeps_the_machine_busy_stretches_no_limit(warm: WarmKernels, times: list[bool]) -> None:
    """Without a share, so that the processes take all there is."""
    limits = Limits(test_seconds=2, grace_seconds=1, processors=1000)
    nb = notebook(f"{(HERE / 'faults' / 'spins_in_sessions.py').read_text()}\n{BUSY.format(60)}", ASKS)
    [verdict] = execute(nb, nb, warm, limits).verdicts
    assert (verdict.kind, verdict.points) == ("timeout", 0)
    assert verdict.seconds < 3 * limits.test_seconds
    assert times == [False], "it is not run again, either"


@pytest.mark.parametrize("way", HONEST_WAYS)
def test_honest_processes_go_on(way: str, warm: WarmKernels, limits: Limits, clean_box: None) -> None:
    nb = notebook(HONEST_WAYS[way], test_cell("t", "assert work() == 30"), test_cell("u", "assert work() == 30"))
    assert [verdict.message for verdict in execute(nb, nb, warm, Limits(test_seconds=20)).verdicts] == ["", ""]


def test_a_class_beside_spinning_processes_loses_no_point_and_little_time() -> None:
    def run(first: str) -> tuple[dict[int, float], float]:
        submissions = [cheat_source() for _ in range(5)]
        submissions[0].cells[1].source += f"\n{first}"
        with Pool(2, TIGHT) as pool:
            dict(pool.run([Job("warm", notebook("pass"), notebook("pass"))]))
            began = time.monotonic()
            results = dict(pool.run(Job(number, nb, cheat_source()) for number, nb in enumerate(submissions)))
            seconds = time.monotonic() - began
        return {number: sum(verdict.points for verdict in result.verdicts) for number, result in results.items()}, seconds

    quiet, quiet_seconds = run("")
    attacked, seconds = run((HERE / "faults" / "spins_in_sessions.py").read_text())
    assert quiet == dict.fromkeys(range(5), 10)
    assert {number: attacked[number] for number in range(1, 5)} == dict.fromkeys(range(1, 5), 10)
    assert seconds < 5 * quiet_seconds + 15


def test_what_a_crowd_kept_from_running_runs_again(warm: WarmKernels, crowd: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    many, seen, once = crowd(30), [], execution._once

    def then_go_home(*arguments: object) -> execution.Execution:
        seen.append(once(*arguments))
        many.go_home()
        return seen[-1]

    monkeypatch.setattr(execution, "_once", then_go_home)
    nb = notebook(BUSY.format(0.5), ASKS)
    [verdict] = execute(nb, nb, warm, Limits(test_seconds=0.6, grace_seconds=5)).verdicts
    assert [(result.hindered, result.verdicts[0].points) for result in seen] == [(True, 0), (False, 1)]
    assert verdict.points == 1


@pytest.mark.parametrize("source", [BUSY.format(60), "import time\ndef work(): time.sleep(60)"], ids=["computes", "sleeps"])
@pytest.mark.parametrize("size", [0, 4], ids=["quiet", "crowded"])
def test_an_endless_answer_runs_once(source: str, size: int, warm: WarmKernels, crowd: Callable, times: list[bool]) -> None:
    crowd(size)
    nb = notebook(source, ASKS)
    [verdict] = execute(nb, nb, warm, TIGHT).verdicts
    assert verdict.kind == "timeout"
    assert times == [False] or (size and times == [True, False]), "once; in a crowd that kept it from running, once more"


def test_programs_that_had_to_wait_are_run_again(warm: WarmKernels, crowd: Callable, times: list[bool]) -> None:
    """The kernel's own thread sleeps meanwhile, so that its patience does not help."""
    crowd(6)
    nb = notebook(IN_WORKERS, test_cell("t", "assert work()"))
    execute(nb, nb, warm, TIGHT)
    assert times[0]
    assert len(times) == 2, "and not more often"


def test_a_cell_that_a_crowd_kept_from_running_is_seen(warm: WarmKernels, crowd: Callable) -> None:
    crowd(30)
    kernel = warm.start(TIGHT)
    try:
        with pytest.raises(KernelTimeout) as caught:
            Channel(kernel, TIGHT).run(f"{BUSY.format(2)}\nwork()", 0.5)
    finally:
        kernel.close()
    assert caught.value.hindered


def test_a_class_runs_again_alone_what_a_crowd_kept_from_running(monkeypatch: pytest.MonkeyPatch) -> None:
    slow, quick, alone = notebook(BUSY.format(0.5), ASKS), notebook("def work(): return 1", ASKS), []
    with Pool(2, Limits(test_seconds=0.6, grace_seconds=5)) as pool:
        pool.prepare()
        many, following = Crowd(pool._warm, 30), pool._next

        def look(source: Iterator[Job], waiting: object) -> tuple[Job, int, bool] | None:
            found = following(source, waiting)
            if found and found[2]:
                alone.append((found[0].key, [worker.job for worker in pool._workers if worker.job]))
                many.end()
            return found

        monkeypatch.setattr(pool, "_next", look)
        try:
            results = list(pool.run([Job("slow", slow, slow), *(Job(number, quick, quick) for number in range(3))]))
        finally:
            many.end()
    assert alone == [("slow", [])]
    assert results[-1][0] == "slow"
    assert [result.verdicts[0].points for _, result in results] == [1] * 4


def test_the_page_of_the_gauge_is_out_of_reach(warm: WarmKernels, limits: Limits) -> None:
    kernel = warm.start(limits)
    code = (
        "import os\nfor n in os.listdir('/proc/self/fd'):\n"
        "    try: print(os.readlink(f'/proc/self/fd/{n}'))\n    except OSError: pass\n"
        "print(*{line.split()[5] for line in open('/proc/self/maps') if 'memfd' in line})"
    )
    try:
        shown = "".join(output.text for output in Channel(kernel, limits).run(code, 10))
    finally:
        kernel.close()
    assert "socket" in shown and "gauge" not in shown


def test_time_that_others_of_the_same_student_computed_does_not_stretch(warm: WarmKernels, limits: Limits, crowd: Callable) -> None:
    crowd(3)
    kernel = warm.start(limits)
    try:
        watch, without = Stopwatch([kernel.process], kernel.gauge), Stopwatch([kernel.process])
        spins = "import os\nif os.fork() == 0:\n    os.setsid()\n    while True: pass"
        Channel(kernel, limits).run(f"{spins}\n{BUSY.format(0.5)}\nwork()", 60)
        others = kernel.gauge.computed
        assert others > 0.2
        assert watch.waited < without.waited - 0.5 * others
    finally:
        kernel.close()
