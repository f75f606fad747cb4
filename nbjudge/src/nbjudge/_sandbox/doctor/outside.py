"""What two kernels share with the grader, with what starts them and with each other. Only the grader's side can see it: a process in a
namespace cannot tell whether that is its own."""

from __future__ import annotations

import os
from collections.abc import Sequence

from nbjudge._sandbox.doctor.attempts import AttemptResult
from nbjudge._sandbox.running import RunningKernel

NAMESPACES = {  # by their names in /proc, and whether each kernel has one inside the sandbox's own
    "mnt": ("mounts", True),
    "pid": ("processes", True),
    "net": ("a network", True),
    "ipc": ("shared memory and queues", True),
    "user": ("users and rights", True),
    "uts": ("the machine's name", False),
    "cgroup": ("groups of processes", False),
}


def shared(started: int, kernels: Sequence[RunningKernel]) -> list[AttemptResult]:
    """What two kernels have in common that each should have for itself. `started`: the process that was started for them."""
    if not os.path.isdir("/proc/self/ns"):  # no Linux, and so no sandbox
        return []
    around = _child(str(started)) or str(started)  # bubblewrap's own process stays outside, and its child is the first one inside
    results = [_namespace(kind, around, kernels) for kind in NAMESPACES if os.path.exists(f"/proc/self/ns/{kind}")]
    if os.geteuid() == 0:
        users = [_status(str(kernel.process)).get("Uid", "unknown") for kernel in kernels]
        results.append(AttemptResult("user", "be the user that another kernel is", len({*users, "0"}) == len(users) + 1, ", ".join(users)))
    return results


def _namespace(kind: str, around: str, kernels: Sequence[RunningKernel]) -> AttemptResult:
    what, for_each = NAMESPACES[kind]
    processes = ("self", around, *(kernel.process for kernel in kernels))
    try:
        own, outer, *inner = (os.readlink(f"/proc/{process}/ns/{kind}") for process in processes)
    except OSError as error:
        return AttemptResult("namespaces", f"share {what} ({kind})", False, f"cannot be seen from here: {error}")
    needless = kind == "user" and os.geteuid() == 0  # bubblewrap makes none for root
    alike = {"the grader": own in inner or (own == outer and not needless)}
    if for_each:
        alike |= {"what starts it": outer in inner, "another kernel": len(set(inner)) < len(inner)}
    return AttemptResult("namespaces", f"share {what} ({kind})", not any(alike.values()), ", ".join(who for who, is_so in alike.items() if is_so))


def _child(process: str) -> str | None:
    everyone = {name: _status(name) for name in os.listdir("/proc") if name.isdigit()}
    return next((name for name, about in everyone.items() if about.get("PPid") == process), None)


def _status(process: str) -> dict[str, str]:
    """The first word of each field; empty when the process is gone."""
    try:
        with open(f"/proc/{process}/status") as file:
            return {name: value.split()[0] for name, _, value in (line.partition(":") for line in file) if value.strip()}
    except OSError:
        return {}
