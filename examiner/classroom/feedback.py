"""Writes students' feedback in processes of its own, beside the one that records: a quarter of what a submission costs besides its
execution is the HTML.

These processes read the gradebook and `autograded/` and write `feedback/`. They run nothing of a student's.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from examiner.classroom.course import Course
from examiner.wire.errors import CannotGrade

MOST_WAITING = 8  # recorded submissions that wait for their feedback; more would only be lost when the run is stopped
_course: Course | None = None  # of such a process


class FeedbackWriters:
    """Processes that write feedback, for as long as the context lasts. Leaving it early abandons what has not begun."""

    def __init__(self, root: Path):
        context = multiprocessing.get_context("forkserver")
        count = max(1, (os.cpu_count() or 1) // 2)  # the students' kernels need the cores, too
        self._processes = ProcessPoolExecutor(count, mp_context=context, initializer=_open, initargs=(root,))
        self._waiting: dict[Future, object] = {}

    def __enter__(self) -> FeedbackWriters:
        return self

    def __exit__(self, *_) -> None:
        self._processes.shutdown(wait=True, cancel_futures=True)

    def begin(self, key: object, student: str, assignment: str) -> None:
        """Have the feedback of one graded submission written; `key` comes back with the result."""
        try:
            self._waiting[self._processes.submit(_write, student, assignment)] = key
        except BrokenProcessPool as gone:
            failed: Future = Future()
            failed.set_exception(gone)
            self._waiting[failed] = key

    def done(self, everything: bool = False) -> Iterator[tuple[object, CannotGrade | None]]:
        """`(key, trouble)` of what is written by now, or of everything. `trouble` says why there is no feedback."""
        while self._waiting:
            crowded = everything or len(self._waiting) > MOST_WAITING
            finished, _ = wait(self._waiting, timeout=None if crowded else 0, return_when=FIRST_COMPLETED)
            if not finished:
                return
            for future in finished:
                yield self._waiting.pop(future), _trouble(future)


def _trouble(future: Future) -> CannotGrade | None:
    try:
        return future.result()
    except BrokenProcessPool:
        return CannotGrade("the process that writes the feedback ended", "run the same command again")


def _open(root: Path) -> None:
    global _course
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the writer's to handle
    threading.Thread(target=_leave_with_the_writer, daemon=True).start()
    warnings.simplefilter("ignore")  # the writer's own process has said what there is to say
    _course = Course(root)


def _leave_with_the_writer() -> None:
    """End when the writer was killed: a pool's process would wait for its next task for ever."""
    multiprocessing.parent_process().join()
    os._exit(1)


def _write(student: str, assignment: str) -> CannotGrade | None:
    try:
        _course.write_feedback(student, assignment)
    except CannotGrade as trouble:
        return trouble
    return None
