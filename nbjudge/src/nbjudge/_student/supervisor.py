"""Process 1 of a student kernel's namespace: watches the kernel, passes interrupts on, ends everything at the end.

It runs no student code, and the student's process cannot signal, trace or read it. When it ends, the system kills every
process that is left in the namespace.
"""

import json
import os
import select
import signal
import socket
import time
from typing import Any

from nbjudge._student.processes import (
    CpuMeter,
    CpuShare,
    Process,
    family,
    in_files,
    mappings,
    page_tables,
    resident,
    share_of_memory,
    sockets,
    to_family,
    to_namespace,
)
from nbjudge._wire.limits import MB
from nbjudge._wire.messages import END, INTERRUPT, LOOK, KernelStatus
from nbjudge._wire.shared_page import SharedPage

LOOK_SECONDS = 0.2
NOBODYS = 1_399_999_999  # an account that is no kernel's and nobody else's
SHORT_SECONDS = 0.05  # between looks while processes are stopped and let go again
SOCKET_BYTES = 425_984  # what may lie in one, as Linux counts it: twice what `net.core.wmem_default` is by default
MAPPING_BYTES, MANY = 300, 8  # what Linux keeps of one, and how many processes it takes until that matters
SCRATCH = ("/tmp", "/dev/shm")
REST = 4  # times as long as a look took, at least, until the next: looking at many processes takes a processor, too


class Supervisor:
    """Watches the kernel that was just forked, before it runs anything of the student's.

    Args:
        nested: in a namespace of its own.
        group: files with numbers of the kernel's memory group, and what these may be. Empty: there is no group.
    """

    def __init__(self, kernel: int, lifeline: socket.socket, limits: dict[str, Any], gauge: SharedPage, nested: bool, group: dict[int, int]):
        self._kernel, self._lifeline, self._limits, self._gauge, self._nested, self._group = kernel, lifeline, limits, gauge, nested, group
        self._own = resident(os.path.realpath("/proc/self").rsplit("/", 1)[-1])
        self._meter = CpuMeter(_first(family() or {}))
        self._share = CpuShare(limits["processors"], to_namespace(kernel) if nested else to_family(kernel, family))

    def watch(self) -> None:
        """Wait until the kernel ends, the grader hangs up, or a limit is passed. Tells the reason on the lifeline."""
        reason, pause = None, LOOK_SECONDS
        while reason is None:
            ready, _, _ = select.select([self._lifeline], [], [], pause)
            order = self._lifeline.recv(1) if ready else None
            if order in (b"", END):  # the grader is gone or wants the end
                return
            if order == INTERRUPT:
                os.kill(self._kernel, signal.SIGINT)
                self._share.let_go()
            began = time.thread_time()
            ended = _ended(self._kernel)
            reason = self._by_group() or ended or self._too_much()
            took = time.thread_time() - began
            pause = max(REST * took, SHORT_SECONDS if self._share.is_short else LOOK_SECONDS)
            if order == LOOK and reason is None:
                tell(self._lifeline, {"looked": True})
        tell(self._lifeline, {"ended": reason})

    def _too_much(self) -> str | None:
        """The limit that all processes together have passed, or None. Processor time is shared out on the way."""
        found = family()
        if found is None:
            return None
        use = self._meter.look(found)
        self._gauge.tell(self._meter.computed, self._meter.waited)
        self._share.account(use, self._gauge.resting)
        if self._meter.total > self._limits["cpu_seconds"]:
            return "computing time"
        # The system allows this one and no more than the limit together; who gets there is not about to stop.
        if sum(process.threads for process in found.values()) >= self._limits["processes"] - 2:
            return "processes"
        return "memory" if not self._group and self._takes_too_much_memory(found) else None

    def _by_group(self) -> str | None:
        """Whether all together take too much, as the system says."""
        return "memory" if any(_number(os.pread(file, 4096, 0).decode()) > most for file, most in self._group.items()) else None

    def _takes_too_much_memory(self, found: dict[str, Process]) -> bool:
        most = self._limits["memory_mb"] * MB - self._unseen(found)
        if sum(max(0, resident(process) - self._own) for process in found) <= most:
            return False
        # Forked processes share memory, which the quick sum counts once for each. The exact sum is slow. This process's share is that of
        # what each has from the warm process.
        inherited = share_of_memory("self")
        return sum(max(0, share_of_memory(process) - inherited) for process in found) > most

    def _unseen(self, found: dict[str, Process]) -> int:
        """Bytes that no process shows as its own."""
        unseen = sum(map(page_tables, found))
        for process in found if len(found) > MANY else ():
            if unseen > self._limits["memory_mb"] * MB:  # counting on would take long
                break
            unseen += mappings(process) * MAPPING_BYTES
        if self._nested:  # otherwise they are not only the student's
            unseen += sockets() * SOCKET_BYTES + sum(map(in_files, SCRATCH))
        return unseen


def _number(text: str) -> int:
    """The number of a memory group's file: how many processes the system ended, or bytes."""
    named = [line.split()[1] for line in text.splitlines() if line.startswith("oom_kill ")]
    return int(named[0] if named else text)


def _first(found: dict[str, Process]) -> str | None:
    """The process that began first: the kernel, which may have started others by now."""
    return min(found, key=lambda name: (int(found[name].began), int(name)), default=None)


def end_all() -> None:
    """Kill and collect every other process of the namespace, so that the end of this one is the end of all."""
    if os.getpid() != 1:
        raise RuntimeError("only the first process of a namespace may end all others")
    _kill_and_collect()


def end_account(uid: int) -> None:
    """Kill and collect every process of an account. This process, root's until now, is the end of its work then.

    With that account as its effective one, all that it may signal is the account's processes. They may not signal it, because its real
    and its saved account are others. The real one must not be root: whoever has that may signal root's.
    """
    if uid == 0:
        raise RuntimeError("root's processes are not one kernel's")
    os.setresuid(NOBODYS, uid, 0)
    _kill_and_collect()


def _kill_and_collect() -> None:
    """Kill all processes that this one may signal at one moment, so that none is forked past it, and wait for all that descend from it."""
    try:
        os.kill(-1, signal.SIGKILL)
        while True:
            os.waitpid(-1, 0)
    except (ProcessLookupError, ChildProcessError):
        pass


def _ended(kernel: int) -> str | None:
    """Why the kernel ended, or None while it runs. Collects other processes that ended, too."""
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return "gone"
        if process == 0:
            return None
        if process == kernel:
            code = os.waitstatus_to_exitcode(status)
            return f"exit {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"


def tell(lifeline: socket.socket, message: KernelStatus) -> None:
    """Say something on the hang-up line, if anybody is there."""
    try:
        lifeline.sendall(json.dumps(message).encode() + b"\n")
    except OSError:
        pass
