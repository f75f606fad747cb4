"""How long a program had the chance to run: time by the clock, without the time that it waited for a processor.

On a machine that does other things, too, an honest program may take many times as long as on a quiet one. A limit that is measured by
the clock alone would then cost points. Linux counts for each thread how long it was ready to run and did not get a processor.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable

MOST = 10  # times a limit, by the clock, however busy the machine is
NANOSECONDS = 1e-9


def own_thread() -> str:
    """The calling thread, for a `Stopwatch`."""
    return f"{os.getpid()}/task/{threading.get_native_id()}"


class Stopwatch:
    """Measures how long threads had the chance to run, from its making on.

    Args:
        threads: names below `/proc`: a process's number for its main thread, or `own_thread()`. Those that take turns, as one that
            asks and one that answers do, count as one. A thread that is gone, or that this system tells nothing of, did not wait.
    """

    def __init__(self, threads: Iterable[str | None]):
        self._threads = [thread for thread in threads if thread]
        self._began, self._waited = time.monotonic(), self._sum()

    def left(self, limit: float) -> float:
        """Seconds until this has measured `limit`, at least; zero or less when it has. By the clock, that is `MOST` times `limit` at most."""
        by_the_clock = time.monotonic() - self._began
        if by_the_clock < limit or by_the_clock >= MOST * limit:
            return limit - by_the_clock
        return limit - by_the_clock + max(0.0, self._sum() - self._waited)

    def _sum(self) -> float:
        return sum(map(_waited, self._threads))


def _waited(thread: str) -> float:
    """Seconds that a thread was ready and did not run, since its start; 0 where that is not known (no Linux, no such thread)."""
    try:
        with open(f"/proc/{thread}/schedstat") as file:
            return int(file.read().split()[1]) * NANOSECONDS
    except (OSError, ValueError, IndexError):
        return 0.0
