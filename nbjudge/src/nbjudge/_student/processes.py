"""All processes of one student kernel, as /proc shows them: who they are, what they take together, and their share."""

import contextlib
import os
import resource
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

PAGE = resource.getpagesize()
TICK = 1 / os.sysconf("SC_CLK_TCK")
NANOSECOND = 1e-9


@dataclass(frozen=True)
class Process:
    """One process at one moment. Times are seconds."""

    parent: str
    threads: int
    runs: bool  # or is ready to
    computed: float  # by its threads, those that ended, too
    collected: float  # what its children had computed that ended and were waited for, and theirs
    began: str  # tells it from a later one of the same number


def family() -> dict[str, Process] | None:
    """Descendants of this process by their names in /proc. None without /proc."""
    try:
        names = [name for name in os.listdir("/proc") if name.isdigit()]
        # /proc may belong to an outer namespace, where this process has another number than getpid() says.
        me = os.readlink("/proc/self")
    except OSError:
        return None
    everyone = {name: process for name in names if (process := _process(name))}
    found: dict[str, Process] = {}
    added = {me}
    while added:
        children = {name for name, process in everyone.items() if process.parent in added}
        found.update({name: everyone[name] for name in children})
        added = children
    return found


def _process(name: str) -> Process | None:
    try:
        with open(f"/proc/{name}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return None
    own, others = (TICK * (int(fields[at]) + int(fields[at + 1])) for at in (11, 13))
    return Process(fields[1], int(fields[17]), fields[0] == "R", own, others, fields[19])


class ThreadTimes:
    """What a thread computes and waits for, to be read again and again: opening its file would take most of the time.

    Args:
        thread: its name below `/proc`; a process stands for its main thread.
    """

    def __init__(self, thread: str):
        self._file: int | None = None
        with contextlib.suppress(OSError):
            self._file = os.open(f"/proc/{thread}/schedstat", os.O_RDONLY | os.O_CLOEXEC)

    def __del__(self) -> None:
        if self._file is not None:
            os.close(self._file)

    def read(self) -> tuple[float, float]:
        """Seconds that it computed, and that it was ready and did not; zeros when it is gone, or this system does not tell."""
        if self._file is None:
            return 0.0, 0.0
        try:
            computed, waited, _ = os.pread(self._file, 128, 0).split()
            return int(computed) * NANOSECOND, int(waited) * NANOSECOND
        except (OSError, ValueError):
            return 0.0, 0.0


def schedule(thread: str) -> tuple[float, float]:
    """What `ThreadTimes` reads, once."""
    return ThreadTimes(thread).read()


def births() -> int:
    """The number that was given last to a process or thread of this namespace: they grow. 0 when that is not known."""
    try:
        with open("/proc/loadavg") as file:
            return int(file.read().split()[4])
    except (OSError, ValueError, IndexError):
        return 0


def resident(name: str) -> int:
    """Bytes of memory a process holds, shared or not; 0 when it is gone."""
    try:
        with open(f"/proc/{name}/statm") as file:
            return int(file.read().split()[1]) * PAGE
    except OSError:
        return 0


def page_tables(name: str) -> int:
    """Bytes that the system keeps to know where a process's memory is; 0 when it is gone."""
    try:
        with open(f"/proc/{name}/status") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmPTE:"))
    except (OSError, StopIteration):
        return 0


def mappings(name: str) -> int:
    """How many pieces a process's memory is in; 0 when it is gone."""
    try:
        with open(f"/proc/{name}/maps", "rb") as file:
            return sum(1 for _ in file)
    except OSError:
        return 0


def in_files(folder: str) -> int:
    """Bytes that the files of a file system in memory take."""
    about = os.statvfs(folder)
    return (about.f_blocks - about.f_bfree) * about.f_frsize


def sockets() -> int:
    """How many sockets there are in this network, also those that only lie in a message; 0 when that is not known."""
    try:
        with open("/proc/self/net/sockstat") as file:
            return int(file.readline().split()[2])
    except (OSError, ValueError, IndexError):
        return 0


def share_of_memory(name: str) -> int:
    """Bytes of memory a process holds, shared ones in equal parts; 0 when it is gone."""
    try:
        with open(f"/proc/{name}/smaps_rollup") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0


Key = tuple[str, str]  # a process's number and when it began
Times = tuple[float, float]  # computed, waited


@dataclass(frozen=True)
class Use:
    """What was computed between two looks, in seconds of one processor."""

    seconds: float  # between the looks
    kernel: float  # by the kernel's own process, all its threads
    others: float  # by all other processes


class CpuMeter:
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
        """What the grader asks for: everything but the kernel's main thread."""
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


BURST = 1.0  # seconds of one processor that may be taken above the share before anything is stopped
RESTING = 0.1  # of the share, while the grader waits for nothing: nobody needs what is computed then
LEAST = 0.2  # of the share, for the other processes where the kernel itself takes all of it: it may wait for them


class CpuShare:
    """`processors`: how many processors' time the processes have together. `send`: gives a signal to all of them, or all but the kernel."""

    def __init__(self, processors: float, send: Callable[[signal.Signals, bool], None]):
        self._processors, self._send = processors, send
        self._for_others = self._for_all = BURST  # what may be taken now
        self._others_stopped = self._all_stopped = False

    @property
    def is_short(self) -> bool:
        """Whether it has to be looked at often."""
        return min(self._for_others, self._for_all) < BURST / 2

    def account(self, use: Use, resting: bool) -> None:
        """Stop, or let go on, after what was used since the last time."""
        processors = self._processors * (RESTING if resting else 1)
        income = processors * use.seconds
        self._for_others = min(BURST, self._for_others + max(income - use.kernel, LEAST * income) - use.others)
        self._for_all = min(BURST, self._for_all + (1 + LEAST) * income - use.kernel - use.others)
        self._set(self._for_others < 0, self._for_all < 0)

    def let_go(self) -> None:
        """Let all go on, for now: they are to hear something."""
        self._for_others, self._for_all = max(0.0, self._for_others), max(0.0, self._for_all)
        self._set(False, False)

    def _set(self, stop_others: bool, stop_all: bool) -> None:
        stop_others = stop_others or stop_all
        if stop_all:
            self._send(signal.SIGSTOP, True)  # again and again: what was stopped may have been woken
        elif stop_others:
            self._send(signal.SIGSTOP, False)
        elif self._others_stopped:
            self._send(signal.SIGCONT, True)
        self._others_stopped, self._all_stopped = stop_others, stop_all


def to_namespace(kernel: int) -> Callable[[signal.Signals, bool], None]:
    """Sends to every process of the namespace that the caller is the first process of: none is forked past it."""

    def send(number: signal.Signals, all_of_them: bool) -> None:
        _quietly(os.kill, -1, number)
        if not all_of_them:
            _quietly(os.kill, kernel, signal.SIGCONT)  # takes the stop back, mostly before it is noticed

    return send


def to_family(kernel: int, family: Callable[[], dict[str, Any] | None]) -> Callable[[signal.Signals, bool], None]:
    """Sends to each process that is found, where there is no namespace."""

    def send(number: signal.Signals, all_of_them: bool) -> None:
        for name in family() or ():
            if all_of_them or int(name) != kernel:
                _quietly(os.kill, int(name), number)

    return send


def _quietly(call: Callable[[int, int], None], process: int, number: int) -> None:
    try:
        call(process, number)
    except ProcessLookupError:
        pass
