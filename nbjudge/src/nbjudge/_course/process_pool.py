"""Where submissions are executed: in processes of this machine, or wherever an engine of somebody else's sends them."""

from __future__ import annotations

import gc
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Protocol, TypeVar

from nbformat import NotebookNode

from nbjudge._analysis.instructor import Instructor
from nbjudge._common import preload
from nbjudge._execution.execute import Execution, execute, learn
from nbjudge._execution.solution_results import Remembered
from nbjudge._execution.transcript import Conversation
from nbjudge._sandbox import early
from nbjudge._sandbox.accounts import Protection
from nbjudge._sandbox.starting import KernelStarter, WarmKernels
from nbjudge._wire.errors import CannotJudge, OwnFailure
from nbjudge._wire.limits import MB, Limits

WORKER_DATA_MB = 4096  # a test that computes with a student's huge number fails instead of filling the machine
SPARE_SECONDS = 60  # above the limits of a submission and of the instructor's own, after which its worker is taken to be stuck
TRIES = 2
Key = TypeVar("Key")  # the caller's own, which comes back with a result
NOT_JUDGED = "the grader failed on it twice ({reason})"


@dataclass(frozen=True)
class Job(Generic[Key]):
    """One notebook to execute. `key` is the caller's; results carry it. `before` and `remembered`: see `nbjudge._execution.execute.execute`.

    `keep` gets what came of it as near to where it was executed as can be, and gives what is to be handed on.
    """

    key: Key
    notebook: NotebookNode
    source: Instructor | NotebookNode
    files: Sequence[Path] = ()
    before: Conversation | None = None
    keep: Callable[[Execution], Execution] | None = None
    remembered: Remembered | None = None
    is_solution: bool = False  # the notebook is that of `source`, and is executed for what others may ask about it


@dataclass
class _Waiting:
    """What is to be done besides the jobs that were not begun yet."""

    again: deque[tuple[Job[Any], int]]  # the worker failed; how often
    alone: deque[tuple[Job[Any], int]]  # a busy machine took its time; at the end, with nothing beside it


class _Worker:
    """A worker process and the job that it has."""

    def __init__(self, context: ForkServerContext, limits: Limits, warm: WarmKernels):
        self.warm = warm
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, limits, warm.starter()), daemon=False)
        self.process.start()
        theirs.close()
        self.job: Job[Any] | None = None
        self.tried, self.is_alone = 0, False
        self.deadline = float("inf")

    def give(self, job: Job[Any], tried: int, seconds: float, is_alone: bool) -> None:
        """Send a job for its `tried`th time; the worker counts as stuck after `seconds`. `is_alone`: nothing else runs meanwhile."""
        self.job, self.tried, self.deadline, self.is_alone = job, tried, time.monotonic() + seconds, is_alone
        try:
            self.connection.send(replace(job, key=None))  # the key stays here
        except OSError:
            pass  # it is gone; its end of the pipe tells so when it is waited for

    def receive(self) -> Execution | Exception:
        """The result, or the exception that says why there is none."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            self.process.join(5)
            return OwnFailure(f"its process ended with exit code {self.process.exitcode}")

    def end(self) -> None:
        """Ask the worker to finish; kill it if it does not. Its kernels die with it."""
        self.connection.close()
        self.process.join(10 if self.job is None else 0.1)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class Pool:
    """Worker processes for as long as the context lasts.

    Args:
        workers: how many; one for each core by default.
        patient: whether what ran out of time because the machine did something else is executed again here; see `run`.
    """

    def __init__(
        self,
        workers: int | None = None,
        limits: Limits = Limits(),
        packages: tuple[str, ...] = (),
        sandboxed: Protection = True,
        patient: bool = True,
    ):
        self._limits, self._packages, self._sandboxed, self._patient = limits, packages, sandboxed, patient
        self._count = workers or os.cpu_count() or 1
        self._workers: list[_Worker] = []
        self._warm: WarmKernels | None = None
        self._context = multiprocessing.get_context("forkserver")

    def prepare(self) -> WarmKernels:
        """Start the processes that import what all need; they go on with it while the caller does something else. Returns the warm one.

        `run` does so, too, when the first job comes. Raises `SandboxMissing` when the sandbox does not work here.
        """
        if self._warm is None:
            self._warm = early.taken(self._packages, self._sandboxed) or WarmKernels(self._packages, self._sandboxed)
            preload.begin(executes=True)
        return self._warm

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.end()
        self._workers.clear()
        if self._warm is not None:
            self._warm.close()

    def run(self, jobs: Iterable[Job[Key]]) -> Iterator[tuple[Key, Execution | CannotJudge]]:
        """Execute all jobs; yields `(key, execution)` in the order in which they finish, or `(key, why there is none)`.

        Jobs are taken from `jobs` only as workers become free. Leaving the loop early abandons what is not finished. One that ran out of
        time because the machine did something else runs again, once, after all others and alone, and counts as it goes then.
        Raises `SandboxMissing`, and `WarmProcessGone` when no kernel can be started at all.
        """
        source, waiting = iter(jobs), _Waiting(deque(), deque())
        try:
            while True:
                self._hand_out(source, waiting)
                busy = [(worker, worker.job) for worker in self._workers if worker.job is not None]
                if not busy:
                    return
                ready = wait([worker.connection for worker, _ in busy], timeout=1)
                for worker, job in busy:
                    if worker.connection in ready or time.monotonic() > worker.deadline:
                        yield from self._finish(worker, job, worker.connection in ready, waiting)
        finally:
            for worker in [worker for worker in self._workers if worker.job is not None]:
                self._replace(worker)

    def _finish(self, worker: _Worker, job: Job[Key], answered: bool, waiting: _Waiting) -> Iterator[tuple[Key, Execution | CannotJudge]]:
        """Take a worker's result. A job whose worker failed waits for another try; after the last, there is no execution."""
        tried = worker.tried
        result = worker.receive() if answered else OwnFailure("it did not come to an end")
        # Where the warm process ended, so did the student's kernel in the middle of something.
        if isinstance(result, Execution) and worker.warm.is_running:
            worker.job = None
            if result.hindered and self._patient and not worker.is_alone:
                waiting.alone.append((job, 0))
            else:
                yield job.key, result
            return
        self._replace(worker)
        if not (warm := self.prepare()).is_running:
            self._warm_again(warm)
        if tried < TRIES:
            (waiting.alone if worker.is_alone else waiting.again).append((job, tried))
        else:
            reason = "the process that its kernels are forked from ended" if isinstance(result, Execution) else result
            yield job.key, CannotJudge(NOT_JUDGED.format(reason=str(reason).rstrip(".")))

    def _hand_out(self, source: Iterator[Job[Any]], waiting: _Waiting) -> None:
        while True:
            free = next((worker for worker in self._workers if worker.job is None), None)
            if free is None and len(self._workers) >= self._count:
                return
            if (found := self._next(source, waiting)) is None:
                return
            job, tried, is_alone = found
            if free is None:
                free = _Worker(self._context, self._limits, self.prepare())
                self._workers.append(free)
            free.give(job, tried + 1, 2 * self._limits.submission_seconds + SPARE_SECONDS, is_alone)

    def _next(self, source: Iterator[Job[Any]], waiting: _Waiting) -> tuple[Job[Any], int, bool] | None:
        """What a free worker is to do, how often that was tried, and whether nothing else may run meanwhile."""
        if waiting.again:
            return *waiting.again.popleft(), False
        if job := next(source, None):
            return job, 0, False
        if waiting.alone and all(worker.job is None for worker in self._workers):
            return *waiting.alone.popleft(), True
        return None

    def _replace(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.end()

    def _warm_again(self, gone: WarmKernels) -> None:
        """Start another warm process in place of one that is gone. Busy workers find out with their jobs."""
        gone.check()
        for worker in [worker for worker in self._workers if worker.job is None]:
            self._replace(worker)
        gone.close()
        self._warm = WarmKernels(self._packages, self._sandboxed)


def _work(connection: Connection, limits: Limits, warm: KernelStarter) -> None:
    """Body of a worker: execute what comes until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the writer's to handle
    if sys.platform == "linux":
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (WORKER_DATA_MB * MB, hard))
    gc.freeze()  # what was imported before the fork stays: a collection need not walk through it
    while True:
        try:
            job = connection.recv()
            connection.send(_answer(job, warm, limits))
        except (EOFError, OSError):
            return


def _answer(job: Job[Any], warm: KernelStarter, limits: Limits) -> Execution | Exception:
    try:
        if job.is_solution and isinstance(job.source, Instructor):
            return learn(job.source, warm, limits, job.remembered)
        execution = execute(job.notebook, job.source, warm, limits, job.files, again=False, before=job.before, remembered=job.remembered)
        return execution if job.keep is None else job.keep(execution)
    except Exception as error:
        return OwnFailure(f"{type(error).__name__}: {error}")


class Executing(Protocol):
    """What executes the submissions of a course, for as long as the context lasts. `Pool` is one."""

    def prepare(self) -> object:
        """Start what takes long to start. Raises a `GraderError` when nothing can be executed there."""

    def run(self, jobs: Iterable[Job[Key]]) -> Iterator[tuple[Key, Execution | CannotJudge]]:
        """Execute all jobs, in the order in which they end; see `Pool.run`."""

    def __enter__(self) -> object: ...
    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /) -> None: ...


class Engine(Protocol):
    """Where to execute."""

    def open(self, limits: Limits, packages: tuple[str, ...], sandboxed: Protection) -> Executing:
        """What executes by a course's settings. Nothing is started yet."""


class LocalEngine:
    """This machine. `workers` is how many submissions to execute at once; one for each core by default."""

    def __init__(self, workers: int | None = None):
        self._workers = workers

    def open(self, limits: Limits, packages: tuple[str, ...], sandboxed: Protection) -> Pool:
        """Worker processes."""
        return Pool(self._workers, limits, packages, sandboxed)
