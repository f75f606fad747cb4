"""All processes of one student kernel, as /proc shows them: who they are, and what they take."""

import os
import resource
from dataclasses import dataclass

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


def schedule(thread: str) -> tuple[float, float]:
    """Seconds that a thread (named below /proc; a process stands for its main thread) computed, and that it was ready and did not."""
    try:
        with open(f"/proc/{thread}/schedstat") as file:
            fields = file.read().split()
        return int(fields[0]) * NANOSECOND, int(fields[1]) * NANOSECOND
    except (OSError, ValueError, IndexError):
        return 0.0, 0.0


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


def share_of_memory(name: str) -> int:
    """Bytes of memory a process holds, shared ones in equal parts; 0 when it is gone."""
    try:
        with open(f"/proc/{name}/smaps_rollup") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0
