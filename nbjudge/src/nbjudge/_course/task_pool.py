"""Processes beside the one that records: all that reads what students wrote, other than to execute it, happens here.

They prepare submissions (JSON, nbgrader's sanitising steps), make what lies in `autograded/` harmless, and write feedback pages: half of
what a submission costs besides its execution. Parsers have inputs on which they take for ever, so each task has a limit of processor
time and of memory; the process of one that goes beyond is ended, and only that task is lost. They run nothing of a student's.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from typing import Any, Generic, TypeVar

from pebble import ProcessPool

from nbjudge._common import preload
from nbjudge._course.course import Course
from nbjudge._nbgrader import process_limit
from nbjudge._wire.errors import CannotGrade, OwnFailure

MOST_WAITING = 8  # recorded submissions that wait for their feedback; more would only be lost when the run is stopped
Key = TypeVar("Key")  # the caller's own, which comes back with a result
AHEAD = 4  # submissions that are prepared before a worker is free for them

_course: Course | None = None  # of such a process


class DidNotEnd(CannotGrade):
    """A task went beyond its time or its memory."""


class TaskPool(Generic[Key]):
    """Such processes, for as long as the context lasts. Leaving it early abandons what has not begun."""

    def __init__(self, root: Path, cpu_seconds: int | None = None):
        """`root` is the course's folder; `cpu_seconds` the limit of each task, `process_limit.CPU_SECONDS` by default."""
        self._seconds = cpu_seconds or process_limit.CPU_SECONDS
        count = max(2, (os.cpu_count() or 1) // 2)  # the students' kernels need the cores, too
        self._pool = ProcessPool(count, context=multiprocessing.get_context("forkserver"), initializer=_open, initargs=(root,))
        self._ahead = count + AHEAD
        self._waiting: dict[Future[Any], Key] = {}

    def __enter__(self) -> TaskPool[Key]:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.stop()
        self._pool.join()

    def map(self, task: Callable[..., Any], items: Iterable[tuple[Any, ...]]) -> Iterator[tuple[tuple[Any, ...], Any]]:
        """`(item, result)` of `task(course, *item)` for every item, in the order in which they end, a few of them ahead of who asks.

        A result is what the task returned, or the `CannotGrade` or `OSError` that it raised, a `DidNotEnd` where it was ended, and an
        `OwnFailure` for any other error.
        """
        source = iter(items)
        waiting: dict[Future[Any], tuple[Any, ...]] = {}
        while True:
            while len(waiting) < self._ahead and not any(future.done() for future in waiting) and (item := next(source, None)) is not None:
                waiting[self._schedule(task, item)] = item
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                yield waiting.pop(future), _result(future)

    def begin(self, key: Key, task: Callable[..., Any], *item: Any) -> None:
        """Have `task(course, *item)` done; `key` comes back with the result from `done`."""
        self._waiting[self._schedule(task, item)] = key

    def done(self, everything: bool = False) -> Iterator[tuple[Key, Any]]:
        """`(key, result)` of what was begun and has ended by now, or of everything; results as in `map`."""
        while self._waiting:
            crowded = everything or len(self._waiting) > MOST_WAITING
            finished, _ = wait(self._waiting, timeout=None if crowded else 0, return_when=FIRST_COMPLETED)
            if not finished:
                return
            for future in finished:
                yield self._waiting.pop(future), _result(future)

    def _schedule(self, task: Callable[..., Any], item: tuple[Any, ...]) -> Future[Any]:
        preload.begin()
        try:
            arguments = (self._seconds, _in_course, task, *item)
            return self._pool.schedule(process_limit.limited, args=arguments, timeout=self._seconds * process_limit.CLOCK)
        except RuntimeError as broken:  # no process of the pool starts
            failed: Future[Any] = Future()
            failed.set_exception(broken)
            return failed


def _result(future: Future[Any]) -> Any:
    try:
        return future.result()
    except process_limit.ENDED:
        return DidNotEnd(process_limit.TOO_LONG, process_limit.NEXT)
    except (CannotGrade, OSError) as trouble:
        return trouble
    except Exception as error:
        return OwnFailure(f"{type(error).__name__}: {error}")


def _open(root: Path) -> None:
    global _course
    process_limit.open_process()
    threading.Thread(target=_leave_with_the_writer, daemon=True).start()
    _course = Course(root)


def _leave_with_the_writer() -> None:
    """End when the writer was killed: a pool's process would wait for its next task for ever."""
    if (writer := multiprocessing.parent_process()) is not None:
        writer.join()
        os._exit(1)


def _in_course(task: Callable[..., Any], *item: Any) -> Any:
    return task(_course, *item)
