"""Many submissions at once, one writer, and workers that may die."""

import os
import signal
import time

import pytest

from hostile import cheat_source
from nbjudge._course.process_pool import Job, Pool
from nbjudge._sandbox import starting
from nbjudge._wire.errors import CannotJudge, WarmProcessGone
from nbjudge._wire.limits import Limits
from nbjudge.testing.notebooks import notebook, test_cell
from nbjudge.testing.processes import descendants

pytestmark = pytest.mark.slow

SOURCE = notebook("x = 1", test_cell("one", "assert f(1) == 2"), test_cell("two", "assert f(2) == 3", 2))


def submission(answer: str):
    return notebook(answer, *SOURCE.cells[1:])


def test_all_jobs_come_back_with_their_keys():
    answers = {"right": ("def f(x): return x + 1", 3), "wrong": ("def f(x): return 2", 1), "none": ("pass", 0)}
    jobs = [Job((name, number), submission(answer), SOURCE) for number in range(3) for name, (answer, _) in answers.items()]
    with Pool(workers=2, limits=Limits(test_seconds=5)) as pool:
        results = dict(pool.run(iter(jobs)))
    assert len(results) == 9
    for (name, _), execution in results.items():
        assert sum(verdict.points for verdict in execution.verdicts) == answers[name][1]


def test_tests_and_students_compute_with_one_thread_each():
    """There is a worker for each processor: two threads of each wait for each other, and take twice the time."""
    asked = "import torch, numpy\ndef f(x): return x + torch.get_num_threads()"
    test = test_cell("one", "import os, torch\nassert torch.get_num_threads() == f(0) == 1 == int(os.environ['OPENBLAS_NUM_THREADS'])")
    before = dict(os.environ)
    with Pool(workers=1) as pool:
        [(_, execution)] = pool.run([Job(None, notebook(asked, test), notebook(asked, test))])
    assert [verdict.kind for verdict in execution.verdicts] == ["passed"] and os.environ == before


def finish_six(pool, after_the_first):
    """Six notebooks through the pool, with something that happens when the first is done; all have to be graded right."""
    results = {}
    for key, execution in pool.run(Job(number, cheat_source(), cheat_source()) for number in range(6)):
        if not results:
            after_the_first()
        results[key] = execution
    assert sorted(results) == list(range(6))
    assert all(verdict.points == 2 for execution in results.values() for verdict in execution.verdicts)


def test_a_killed_worker_costs_nothing():
    with Pool(workers=2) as pool:
        finish_six(pool, lambda: os.kill(next(worker for worker in pool._workers if worker.job is not None).process.pid, signal.SIGKILL))


def test_a_killed_warm_process_costs_nothing():
    with Pool(workers=2) as pool:
        killed = []
        finish_six(pool, lambda: (killed.append(pool._warm._process.pid), os.killpg(killed[0], signal.SIGKILL)))
        assert pool._warm._process.pid != killed[0]


def test_garbage_on_the_control_line_costs_nothing():
    """The warm process ends, or goes on, and the class is graded."""
    with Pool(workers=2) as pool:
        finish_six(pool, lambda: pool._warm._control.send(b"\x00garbage"))


def test_a_notebook_that_kills_its_worker_is_not_judged():
    source = notebook(test_cell("deadly", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"), test_cell("after", "pass"))
    with Pool(workers=1) as pool:
        results = dict(pool.run([Job("bad", source, source), Job("good", submission("def f(x): return x + 1"), SOURCE)]))
    assert isinstance(results["bad"], CannotJudge)
    assert str(results["bad"]) == "the grader failed on it twice (its process ended with exit code -9)"
    assert [verdict.points for verdict in results["good"].verdicts] == [1, 2]


def test_no_process_is_left_at_the_end():
    with Pool(workers=1) as pool:
        dict(pool.run([Job(1, submission("def f(x): return x + 1"), SOURCE)]))
        family = {str(pool._workers[0].process.pid), *descendants(pool._warm._process.pid)}
        assert len(family) > 1
    deadline = time.monotonic() + 20
    while any(os.path.exists(f"/proc/{name}") for name in family) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(os.path.exists(f"/proc/{name}") for name in family)


def test_a_warm_process_that_never_comes_up_ends_the_run(monkeypatch):
    monkeypatch.setattr(starting.bubblewrap, "command", lambda boxes, packages, inner: [inner[0], "-c", "raise SystemExit('no luck')"])
    with Pool(workers=1) as pool, pytest.raises(WarmProcessGone, match="no luck"):
        list(pool.run([Job(1, submission("def f(x): return x + 1"), SOURCE)]))
