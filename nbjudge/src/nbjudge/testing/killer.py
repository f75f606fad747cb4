"""Kills parts of a cluster at random while a class is graded on it, and starts what an administrator's machine would start again."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import psutil
from nbgrader.api import Gradebook

from nbjudge.testing import small_course
from nbjudge.testing.machines import Machines

WEIGHTS = {"worker": 6, "nanny": 2, "scheduler": 2}
GONE_SECONDS = 3.0  # at most, until what was killed is started again


class Killer(threading.Thread):
    """Kills one thing after the other until it is stopped. `killed` counts them by kind.

    Args:
        cluster: with nannies; as many workers as it has now are kept up.
        pause: mean seconds between two kills.
    """

    def __init__(self, cluster: Machines, chance: random.Random, pause: float):
        super().__init__(daemon=True)
        self._cluster, self._chance, self._pause = cluster, chance, pause
        self._count, self._is_calm, self._is_over = len(cluster.workers), threading.Event(), threading.Event()
        self.killed: Counter[str] = Counter()

    def run(self) -> None:
        """Until `stop`."""
        while not self._is_calm.wait(self._chance.expovariate(1 / self._pause)):
            [kind] = self._chance.choices(list(WEIGHTS), list(WEIGHTS.values()))
            if self._kill(kind):
                self.killed[kind] += 1
            self._is_calm.wait(self._chance.uniform(0, GONE_SECONDS))
            self._start_again()
        while not self._is_over.wait(1):  # workers end a moment after their scheduler
            self._start_again()

    def calm(self) -> None:
        """Kill nothing more; what ends is still started again."""
        self._is_calm.set()

    def stop(self) -> None:
        """Leave everything as it is."""
        self._is_calm.set()
        self._is_over.set()
        self.join()

    def _kill(self, kind: str) -> bool:
        with contextlib.suppress(psutil.NoSuchProcess):
            if kind == "scheduler":
                scheduler = self._scheduler()
                psutil.Process(scheduler.pid).kill()
                scheduler.wait()
                return True
            nannies = [psutil.Process(worker.pid) for worker in self._cluster.workers if worker.poll() is None]
            own = {worker.pid for worker in self._cluster.workers}
            victims = nannies if kind == "nanny" else [one for one in self._cluster.processes() if one.pid not in own]
            if victims:
                self._chance.choice(victims).kill()
                return True
        return False

    def _scheduler(self) -> subprocess.Popen[bytes]:
        assert self._cluster.scheduler is not None, "the cluster has not begun"
        return self._cluster.scheduler

    def _start_again(self) -> None:
        if self._scheduler().poll() is not None:
            self._cluster.start_scheduler()
        self._cluster.workers[:] = [worker for worker in self._cluster.workers if worker.poll() is None]
        while len(self._cluster.workers) < self._count:
            self._cluster.start_worker()


def make_class(root: Path, students: int) -> Path:
    """The small course with so many students, whose answers repeat."""
    answers = list(small_course.ANSWERS.values())
    return small_course.make(root, answers={f"s{number:04d}": answers[number % len(answers)] for number in range(students)})


def begin(root: Path, address: str) -> subprocess.Popen[bytes]:
    """The command, in the background; what it says goes to `said.txt`."""
    with (root / "said.txt").open("ab") as said:
        return subprocess.Popen(
            [sys.executable, "-m", "nbjudge", "grade", "--cluster", address],
            cwd=root,
            stdout=said,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,
        )


def grade_disturbed(root: Path, cluster: Machines, chance: random.Random, pause: float, commands: int, most: int, seconds: float) -> Counter[str]:
    """Grade while everything is killed at random, then undisturbed to the end.

    Args:
        pause: mean seconds between two kills.
        commands: how often the command itself is killed, each time after up to `most` submissions.
        seconds: for which the last command is still disturbed.

    Returns:
        How much of each kind was killed.
    """
    killer = Killer(cluster, chance, pause)
    killer.start()
    while killer.killed["command"] < commands:
        wanted, command = graded(root) + chance.randint(1, most), begin(root, cluster.address)
        while command.poll() is None and graded(root) < wanted:
            time.sleep(0.05)
        if command.poll() is None:
            os.kill(command.pid, signal.SIGKILL)
            killer.killed["command"] += 1
        assert command.wait() != 0, "it came to its end before it was killed: the class is too small"
        time.sleep(1)  # it may have ended because the scheduler was gone at that moment
    command = begin(root, cluster.address)
    with contextlib.suppress(subprocess.TimeoutExpired):
        command.wait(seconds)
    killer.calm()
    if command.wait() != 0:  # for example because the scheduler was away for too long
        killer.killed["commands that gave up"] += 1
        time.sleep(GONE_SECONDS)
        assert begin(root, cluster.address).wait() == 0, (root / "said.txt").read_text()[-3000:]
    killer.stop()
    return killer.killed


def graded(root: Path) -> int:
    """How many submissions were graded so far, by all commands."""
    said = root / "said.txt"
    return sum(line.startswith("       graded  ") for line in said.read_text().splitlines()) if said.exists() else 0


def points(root: Path) -> dict[str, float]:
    """Each student's points in the gradebook; one that is there twice is an error."""
    found: dict[str, float] = {}
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "sums") as gradebook:
        for submission in gradebook.assignment_submissions(small_course.ASSIGNMENT):
            assert submission.student.id not in found, submission.student.id
            found[submission.student.id] = submission.score
    return found
