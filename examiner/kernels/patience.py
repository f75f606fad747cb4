"""How long a program had the chance to run: time by the clock, without the time that it waited for a processor.

On a machine that does other things, too, an honest program may take many times as long as on a quiet one. A limit that is measured by
the clock alone would then cost points. Linux counts for each thread how long it was ready to run and did not get a processor.

The rule: the time does not count that a kernel's main thread waited for a processor, less what processors computed meanwhile for the
same student's other processes and threads, up to ten times the limit by the clock. So nobody stretches a limit by keeping the machine busy.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass

from examiner.inside.family import schedule
from examiner.kernels.running import RunningKernel
from examiner.wire.gauge import Gauge

MOST = 10  # times a limit, by the clock, however busy the machine is
ENOUGH = 0.9  # of a limit: what little is missing then is not what was missing


def own_thread() -> str:
    """The calling thread, for a `Stopwatch`."""
    return f"{os.getpid()}/task/{threading.get_native_id()}"


def waited_by(kernel: RunningKernel) -> float:
    """Seconds of waiting of a kernel since it began, as far as they are not its own doing."""
    _, waited = schedule(kernel.process) if kernel.process else (0.0, 0.0)
    return max(0.0, waited - kernel.gauge.computed)


@dataclass(frozen=True)
class _Reading:
    """What was counted until now, in seconds: `own` for the watched threads, `others` for the student's other processes and threads."""

    own: float
    own_waited: float
    others: float
    others_waited: float

    def __sub__(self, earlier: _Reading) -> _Reading:
        return _Reading(
            self.own - earlier.own, self.own_waited - earlier.own_waited, self.others - earlier.others, self.others_waited - earlier.others_waited
        )


class Stopwatch:
    """Measures how long threads had the chance to run, from its making on.

    Args:
        threads: names below `/proc`: a process's number for its main thread, or `own_thread()`. Those that take turns, as one that
            asks and one that answers do, count as one. A thread that is gone, or that this system tells nothing of, did not wait.
        gauge: of the student's kernel, which tells what its other processes and threads do.
    """

    def __init__(self, threads: Iterable[str | None], gauge: Gauge | None = None):
        self._threads, self._gauge = [thread for thread in threads if thread], gauge
        self._began, self._first = time.monotonic(), self._read()

    def left(self, limit: float) -> float:
        """Seconds until this has measured `limit`, at least; zero or less when it has. By the clock, that is `MOST` times `limit` at most."""
        by_the_clock = time.monotonic() - self._began
        if by_the_clock < limit or by_the_clock >= MOST * limit:
            return limit - by_the_clock
        return limit - by_the_clock + self.waited

    @property
    def waited(self) -> float:
        """Seconds of waiting that do not count."""
        since = self._read() - self._first
        return max(0.0, since.own_waited - max(0.0, since.others))

    def was_hindered(self, limit: float) -> bool:
        """Whether what ran out of `limit` was kept from running by what others compute: it is to be tried again on a quiet machine.

        Either it had less time than the limit, because `MOST` was reached. Or programs did the work that this thread waited for, and
        they were ready to run for half of the limit and all together got less than half of it from the processors.
        """
        since = self._read() - self._first
        if time.monotonic() - self._began - self.waited < ENOUGH * limit:
            return True
        return since.own + since.others < limit / 2 <= since.own_waited + since.others_waited

    def _read(self) -> _Reading:
        times = [schedule(thread) for thread in self._threads]
        others = (self._gauge.computed, self._gauge.waited) if self._gauge else (0.0, 0.0)
        return _Reading(sum(own for own, _ in times), sum(waited for _, waited in times), *others)
