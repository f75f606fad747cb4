"""Where submissions are executed: in processes of this machine, or wherever an engine of somebody else's sends them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Protocol

from examiner.classroom.pool import Job, Key, Pool
from examiner.judge.execute import Execution
from examiner.wire.errors import CannotJudge
from examiner.wire.limits import Limits


class Executing(Protocol):
    """What executes the submissions of a course, for as long as the context lasts. `Pool` is one."""

    def prepare(self) -> object:
        """Start what takes long to start. Raises an `ExaminerError` when nothing can be executed there."""

    def run(self, jobs: Iterable[Job[Key]]) -> Iterator[tuple[Key, Execution | CannotJudge]]:
        """Execute all jobs, in the order in which they end; see `Pool.run`."""

    def __enter__(self) -> object: ...
    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /) -> None: ...


class Engine(Protocol):
    """Where to execute."""

    def open(self, limits: Limits, packages: tuple[str, ...], sandboxed: bool) -> Executing:
        """What executes by a course's settings. Nothing is started yet."""


class Here:
    """This machine. `workers` is how many submissions to execute at once; one for each core by default."""

    def __init__(self, workers: int | None = None):
        self._workers = workers

    def open(self, limits: Limits, packages: tuple[str, ...], sandboxed: bool) -> Pool:
        """Worker processes."""
        return Pool(self._workers, limits, packages, sandboxed)
