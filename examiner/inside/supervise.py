"""Process 1 of a student kernel's namespace: watches the kernel, passes interrupts on, ends everything at the end.

It runs no student code, and the student's process cannot signal, trace or read it. When it ends, the system kills every
process that is left in the namespace.
"""

import json
import os
import resource
import select
import signal
import socket

from examiner.wire.limits import MB

LOOK_SECONDS = 0.2
PAGE = resource.getpagesize()


def watch(kernel: int, lifeline: socket.socket, limits: dict) -> None:
    """Wait until process `kernel` ends, the examiner hangs up, or a limit is passed. Tells the reason on `lifeline`."""
    reason = None
    own = _resident(os.path.realpath("/proc/self").rsplit("/", 1)[-1])
    while reason is None:
        ready, _, _ = select.select([lifeline], [], [], LOOK_SECONDS)
        if ready and not _obey(lifeline, kernel):
            return
        reason = _ended(kernel) or _too_much(own, limits)
    tell(lifeline, {"ended": reason})


def end_all() -> None:
    """Kill and collect every other process of the namespace, so that the end of this one is the end of all."""
    if os.getpid() != 1:
        raise RuntimeError("only the first process of a namespace may end all others")
    try:
        os.kill(-1, signal.SIGKILL)
        while True:
            os.waitpid(-1, 0)
    except (ProcessLookupError, ChildProcessError):
        pass


def _obey(lifeline: socket.socket, kernel: int) -> bool:
    """Carry out one order; False when the examiner is gone or wants the end."""
    order = lifeline.recv(1)
    if order == b"I":
        os.kill(kernel, signal.SIGINT)
    return order == b"I"


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


def _too_much(own: int, limits: dict) -> str | None:
    """The limit that all processes together have passed, or None."""
    family = _family()
    if family is None:
        return None
    # The system allows this one and no more than the limit together; who gets there is not about to stop.
    if sum(threads for _, threads in family.values()) >= limits["processes"] - 2:
        return "processes"
    most = limits["memory_mb"] * MB
    if sum(max(0, _resident(process) - own) for process in family) <= most:
        return None
    # Forked processes share memory, which the quick sum counts once for each. The exact sum is slow.
    return "memory" if sum(_share(process) for process in family) - own > most else None


def _family() -> dict[str, tuple[str, int]] | None:
    """Descendants of this process: name in /proc -> (parent, threads). None without /proc."""
    try:
        names = [name for name in os.listdir("/proc") if name.isdigit()]
        # /proc may belong to an outer namespace, where this process has another number than getpid() says.
        me = os.readlink("/proc/self")
    except OSError:
        return None
    everyone = {name: stat for name in names if (stat := _parent_and_threads(name))}
    family, added = {}, {me}
    while added:
        children = {name for name, (parent, _) in everyone.items() if parent in added}
        family.update({name: everyone[name] for name in children})
        added = children
    return family


def _parent_and_threads(name: str) -> tuple[str, int] | None:
    try:
        with open(f"/proc/{name}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return fields[1], int(fields[17])


def _resident(name: str) -> int:
    """Bytes of memory a process holds, shared or not; 0 when it is gone."""
    try:
        with open(f"/proc/{name}/statm") as file:
            return int(file.read().split()[1]) * PAGE
    except OSError:
        return 0


def _share(name: str) -> int:
    """Bytes of memory a process holds, shared ones in equal parts; 0 when it is gone."""
    try:
        with open(f"/proc/{name}/smaps_rollup") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0


def tell(lifeline: socket.socket, message: dict) -> None:
    try:
        lifeline.sendall(json.dumps(message).encode() + b"\n")
    except OSError:
        pass
