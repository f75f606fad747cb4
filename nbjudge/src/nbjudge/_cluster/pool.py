"""Executes many submissions at once on the workers of a cluster: as `nbjudge._course.process_pool.Pool` does on this machine's.

A submission is one task, from bytes to bytes, and may be done twice. So a worker that ends costs nothing but time, and neither does a scheduler that
comes back at its address: what it had is sent again.
"""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic

from distributed import Future
from distributed.scheduler import KilledWorker

from nbjudge._analysis.instructor import Instructor, only_tests
from nbjudge._cluster import DONE, MISSING, UNFIT
from nbjudge._cluster.connection import LOOK_SECONDS, Connection, resolve
from nbjudge._course.process_pool import NOT_JUDGED, SPARE_SECONDS, TRIES, Job, Key
from nbjudge._execution.execute import Execution
from nbjudge._sandbox.accounts import Protection
from nbjudge._serialization.executions import pack_instructor, pack_settings, pack_submission, unpack_execution
from nbjudge._serialization.folders import checksum
from nbjudge._wire.errors import CannotGrade, CannotJudge, Hindered, Malformed
from nbjudge._wire.limits import Limits

PATIENCE_SECONDS = 60.0  # for a scheduler or a worker to come, or to come back
MOST_LOST = 20  # times that a task is sent again because what had it went away
RESULT_SECONDS = 60.0  # for a result to come from a worker that has it
AGAIN = "run the same command again: it goes on from there"
ENDED = "the worker that had it ended, several times"


@dataclass
class _Task(Generic[Key]):
    """A job, how often it failed, and how often whoever had it went away. `is_alone`: with nothing beside it."""

    job: Job[Key]
    tried: int = 0
    lost: int = 0
    is_alone: bool = False
    brings: bool = False  # also the parcels that travel once
    future: Future[Any] | None = None


@dataclass(frozen=True)
class _Lesson:
    """What a job names as its source, which is kept so that its identity is nobody else's, and its parcel with its checksum."""

    source: object
    instructor: Instructor
    name: str
    parcel: bytes


class ClusterPool:
    """The workers of a cluster for as long as the context lasts.

    Args:
        address: the scheduler's, as somebody named it.
        tell: hears a sentence about workers that are refused, and about what is waited for.
        patience: seconds to wait for a scheduler that is gone, or for a worker.
    """

    def __init__(
        self,
        address: str,
        limits: Limits,
        packages: tuple[str, ...],
        sandboxed: Protection,
        tell: Callable[[str], None],
        patience: float = PATIENCE_SECONDS,
    ):
        self._address, self._tell, self._patience = resolve(address), tell, patience
        self._settings, self._parcel = pack_settings(limits, packages, sandboxed)
        self._seconds = TRIES * (2 * limits.submission_seconds + SPARE_SECONDS) + SPARE_SECONDS
        self._connection: Connection | None = None
        self._lessons: dict[int, _Lesson] = {}  # by the identity of what a job names
        self._flying: dict[int, _Task[Any]] = {}
        self._waiting: deque[_Task[Any]] = deque()  # to be sent again
        self._alone: deque[_Task[Any]] = deque()  # a busy machine took its time; at the end, with nothing beside it
        self._unassigned: set[int] = set()  # of those that fly, at the last look
        self._number = 0

    def prepare(self) -> Connection:
        """Connect to the scheduler; its workers are looked at meanwhile. Raises `Hindered` and `CannotGrade`."""
        if self._connection is None:
            self._connection = Connection(self._address, self._settings, self._parcel, self._tell)
        return self._connection

    def __enter__(self) -> ClusterPool:
        return self

    def __exit__(self, *_: object) -> None:
        if self._connection is not None:
            self._connection.close()

    def run(self, jobs: Iterable[Job[Key]]) -> Iterator[tuple[Key, Execution | CannotJudge]]:
        """As `Pool.run`. Raises `Hindered` when no scheduler or no worker can be had any more; nothing of what runs then is lost but time."""
        source, since = iter(jobs), time.monotonic()
        try:
            while self._flying or self._waiting or self._alone or self._begin(source):
                connection = self._stand()
                self._send(connection, source)
                if connection.room:
                    since = time.monotonic()
                else:
                    self._bear(connection, time.monotonic() - since)
                try:
                    number = connection.ended.get(timeout=LOOK_SECONDS if self._flying else LOOK_SECONDS / 10)
                except queue.Empty:
                    self._send_again(connection)
                else:
                    if task := self._flying.pop(number, None):  # one that was sent again has another number
                        yield from self._take(connection, task)
        finally:
            self._flying.clear()
            self._waiting.clear()
            self._alone.clear()

    def _begin(self, source: Iterator[Job[Any]]) -> bool:
        """Whether there is another job; without one, nobody looks for a scheduler."""
        if job := next(source, None):
            self._waiting.append(_Task(job))
        return job is not None

    def _send(self, connection: Connection, source: Iterator[Job[Any]]) -> None:
        """Keep the workers busy, each with a submission ahead."""
        while len(self._flying) < connection.room + connection.workers and not any(task.is_alone for task in self._flying.values()):
            if (task := self._next(source)) is None:
                break
            self._submit(connection, task)

    def _next(self, source: Iterator[Job[Any]]) -> _Task[Any] | None:
        if self._waiting:
            return self._waiting.popleft() if not self._waiting[0].is_alone or not self._flying else None
        if job := next(source, None):
            return _Task(job)
        return self._alone.popleft() if self._alone and not self._flying else None

    def _submit(self, connection: Connection, task: _Task[Any]) -> None:
        lesson = self._lesson(task.job)
        submission = pack_submission(task.job.notebook, task.job.files, lesson.instructor.given or (), task.job.before)
        self._number += 1
        self._flying[self._number] = task
        task.future = connection.submit(self._number, lesson.name, submission, self._seconds, lesson.parcel if task.brings else None)

    def _send_again(self, connection: Connection) -> None:
        """Take back what no worker was given at two looks in a row, though there are workers: it has waited since there were none."""
        there = {number for number, task in self._flying.items() if task.future is not None and not task.future.done()} if connection.room else set()
        unassigned = connection.unassigned(there) if there else set()
        for number in sorted(unassigned & self._unassigned):
            task = self._flying.pop(number)
            if task.future is not None:
                task.future.release()
            task.future = None
            self._waiting.append(task)
        self._unassigned = unassigned

    def _lesson(self, job: Job[Any]) -> _Lesson:
        if id(job.source) not in self._lessons:
            instructor = job.source if isinstance(job.source, Instructor) else only_tests(job.source)
            parcel = pack_instructor(instructor)
            self._lessons[id(job.source)] = _Lesson(job.source, instructor, checksum(parcel), parcel)
        return self._lessons[id(job.source)]

    def _take(self, connection: Connection, task: _Task[Key]) -> Iterator[tuple[Key, Execution | CannotJudge]]:
        """What came of a task: its execution, why there is none, or nothing yet, and it is sent again."""
        future, task.future = task.future, None
        assert future is not None
        try:
            kind, why, parcel, address = future.result(timeout=RESULT_SECONDS)
            execution = unpack_execution(parcel) if kind == DONE else None
        except Malformed as damaged:
            yield from self._failed(task, str(damaged))
        except KilledWorker:
            yield from self._failed(task, ENDED)
        except Exception as error:
            if future.status == "error":
                yield from self._failed(task, f"{type(error).__name__}: {error}")
            else:  # a scheduler or a worker went away with it
                yield from self._lost(task)
        else:
            if execution is None:
                yield from self._again(connection, task, kind, why, address)
            elif execution.hindered and not task.is_alone:
                self._alone.append(_Task(task.job, is_alone=True))
            else:
                yield task.job.key, execution if task.job.keep is None else task.job.keep(execution)
        finally:
            future.release()

    def _again(self, connection: Connection, task: _Task[Key], kind: str, why: str, address: str) -> Iterator[tuple[Key, CannotJudge]]:
        if kind == MISSING:
            task.brings = True
            self._waiting.appendleft(task)
        elif kind == UNFIT:
            connection.refuse(address, why)
            yield from self._lost(task)
        else:
            yield from self._failed(task, why)

    def _failed(self, task: _Task[Key], why: str) -> Iterator[tuple[Key, CannotJudge]]:
        task.tried += 1
        if task.tried < TRIES:
            self._waiting.append(task)
        else:
            yield task.job.key, CannotJudge(NOT_JUDGED.format(reason=why.rstrip(".")))

    def _lost(self, task: _Task[Key]) -> Iterator[tuple[Key, CannotJudge]]:
        task.lost += 1
        if task.lost < MOST_LOST:
            self._waiting.append(task)
        else:
            yield task.job.key, CannotJudge(f"the grader could not keep a worker for it ({task.lost} went away)")

    def _stand(self) -> Connection:
        """The connection; another one in the place of one that is lost. What was on its way is sent again."""
        connection = self.prepare()
        if connection.is_open:
            return connection
        self._waiting.extendleft(reversed(self._flying.values()))
        self._flying.clear()
        connection.close()
        self._connection = None
        self._tell(f"The scheduler at {self._address} is gone. This waits for it for {self._patience:.0f} seconds, and then goes on by itself.")
        end = time.monotonic() + self._patience
        while True:
            try:
                return self.prepare()
            except (CannotGrade, OSError) as error:  # one that just starts may not answer well
                if time.monotonic() > end:
                    raise Hindered(
                        f"the scheduler at {self._address} is gone, and has not come back within {self._patience:.0f} seconds. "
                        "What is recorded stays",
                        f"start it and its workers, then {AGAIN}",
                    ) from error
            time.sleep(LOOK_SECONDS)

    def _bear(self, connection: Connection, seconds: float) -> None:
        """Wait for a worker, but not where all that are there were refused, and not for ever."""
        if refusals := connection.refusals:
            told = ". ".join(one[0].upper() + one[1:] for one in refusals)
            raise Hindered(f"no worker of the scheduler at {self._address} may grade. {told}. What is recorded stays", f"mend that, then {AGAIN}")
        if seconds > self._patience:
            raise Hindered(
                f"the scheduler at {self._address} has had no worker that may grade for {self._patience:.0f} seconds. What is recorded stays",
                f"start workers with `dask worker {self._address}`, then {AGAIN}",
            )


class Cluster:
    """An engine: the workers of the scheduler at `address`. `tell` hears what there is to know meanwhile."""

    def __init__(self, address: str, tell: Callable[[str], None], patience: float = PATIENCE_SECONDS):
        self._address, self._tell, self._patience = address, tell, patience

    def open(self, limits: Limits, packages: tuple[str, ...], sandboxed: Protection) -> ClusterPool:
        """The workers, for a course with these settings. Raises `CannotGrade` when the address is none."""
        return ClusterPool(self._address, limits, packages, sandboxed, self._tell, self._patience)
