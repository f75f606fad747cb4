"""How much processor time all processes of one student kernel take together, also those that do not live long enough to be seen."""

import os
import resource
import time
from dataclasses import dataclass

from examiner.inside.family import Process, births, schedule

Key = tuple[str, str]  # a process's number and when it began
Times = tuple[float, float]  # computed, waited


@dataclass(frozen=True)
class Use:
    """What was computed between two looks, in seconds of one processor."""

    seconds: float  # between the looks
    kernel: float  # by the kernel's own process, all its threads
    others: float  # by all other processes


class Meter:
    """Adds up. `kernel` is the kernel's name in /proc, None where it is not known."""

    def __init__(self, kernel: str | None):
        self.computed = self.waited = 0.0  # without the kernel's main thread
        self.total = 0.0  # with everything
        self._kernel = kernel
        self._last = time.monotonic()
        self._seen: dict[Key, Process] = {}
        self._schedules: dict[Key, Times] = {}
        self._collected, self._born = 0.0, births()
        self._main, self._threads = 0.0, (0.0, 0.0)

    def look(self, family: dict[str, Process]) -> Use:
        """What `family` took since the last look."""
        now = time.monotonic()
        seconds, self._last = now - self._last, now
        processes = {(name, process.began): process for name, process in family.items()}
        kernel = others = 0.0
        for key, process in processes.items():
            before = self._seen.get(key)
            grown = max(0.0, process.computed - (before.computed if before else 0.0))
            if key[0] == self._kernel:
                kernel = grown
            else:
                others += grown
        others += self._ended(processes)
        others = max(others, seconds * self._unseen(processes))
        self._seen = processes
        self.total += kernel + others
        self._add_to_the_sums(processes, kernel, others)
        return Use(seconds, kernel, others)

    def _ended(self, processes: dict[Key, Process]) -> float:
        """What processes that ended computed since the last look: whoever waits for them gets it added to its own account."""
        ours = resource.getrusage(resource.RUSAGE_CHILDREN)
        collected = ours.ru_utime + ours.ru_stime
        grown, self._collected = collected - self._collected, collected
        for key, process in processes.items():
            before = self._seen.get(key)
            grown += process.collected - (before.collected if before else 0.0)
        known = sum(process.computed + process.collected for key, process in self._seen.items() if key not in processes)
        return max(0.0, grown - known)

    def _unseen(self, processes: dict[Key, Process]) -> int:
        """Processors that are busy now, where processes come and go between two looks: nobody has to wait for those (who ignores
        SIGCHLD does not), and then the system forgets what they took."""
        born = births()
        between, self._born = born - self._born, born
        if between <= len(processes.keys() - self._seen.keys()):
            return 0
        return min(os.cpu_count() or 1, sum(process.runs for key, process in processes.items() if key[0] != self._kernel))

    def _add_to_the_sums(self, processes: dict[Key, Process], kernel: float, others: float) -> None:
        """What the examiner asks for: everything but the kernel's main thread."""
        schedules = {key: schedule(key[0]) for key in processes if key[0] != self._kernel}
        self.waited += sum(max(0.0, waited - self._schedules.get(key, (0.0, 0.0))[1]) for key, (_, waited) in schedules.items())
        self._schedules = schedules
        self.computed += others
        if self._kernel is None:
            return
        main, _ = schedule(self._kernel)
        own = next((process for key, process in processes.items() if key[0] == self._kernel), None)
        if own is not None and own.threads > 1:
            self.computed += max(0.0, kernel - (main - self._main))
            waited = sum(schedule(f"{self._kernel}/task/{name}")[1] for name in _threads(self._kernel))
            self.waited += max(0.0, waited - self._threads[1])
            self._threads = (0.0, waited)
        self._main = main


def _threads(process: str) -> list[str]:
    """The threads of a process, without its main thread."""
    try:
        return [name for name in os.listdir(f"/proc/{process}/task") if name != process]
    except OSError:
        return []
