"""A memory control group of Linux's for each student kernel: the system itself counts what all its processes take, and stops them there.

It counts what no process shows: shared memory that nobody maps, System V's, files in /tmp, buffers of sockets, page tables. A group can be
had in version 1 as root, and in version 2 where a folder of the tree is delegated to this user, as systemd does below `user@.service`.
https://docs.kernel.org/admin-guide/cgroup-v2.html, and cgroup-v1/memory.html there.
"""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nbjudge._wire.errors import KernelStartFailed
from nbjudge._wire.limits import MB

OWN_LEAF = "nbjudge-grader"  # where the grader itself goes, when it was alone in the only folder that it may write to
SPARE = 0.05  # above the limit, so that what asks for too much is mostly told so before it is ended
NETWORK = 0.05  # of the limit, for buffers of TCP and UDP, which version 1 counts by themselves
REMOVE_SECONDS = 10.0  # for the last process of a group to be gone


@dataclass(frozen=True)
class MemoryGroup:
    """The group of one kernel.

    Args:
        files: open; the first one is written to in order to enter it, each other one holds a number.
        most: what those numbers may be; the group takes too much when one is larger.
    """

    folder: Path
    files: tuple[int, ...]
    most: tuple[int, ...]

    def close(self) -> None:
        """Close the files, once the kernel has them."""
        for file in self.files:
            os.close(file)


@dataclass(frozen=True)
class MemoryGroups:
    """Makes groups in `parent`; `version` is that of the tree. Travels to other processes."""

    parent: Path
    version: int

    def make(self, name: str, limit_mb: int) -> MemoryGroup:
        """A new group whose processes have so much memory together. Raises `KernelStartFailed`."""
        folder = self.parent / name
        try:
            folder.mkdir()
            self._limit(folder, limit_mb * MB)
            numbers = {name: most for name, most in self._numbers(limit_mb * MB).items() if (folder / name).exists()}
            opened = [os.open(folder / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)]
            opened += [os.open(folder / name, os.O_RDONLY | os.O_CLOEXEC) for name in numbers]
            return MemoryGroup(folder, tuple(opened), tuple(numbers.values()))
        except OSError as error:
            raise KernelStartFailed(f"A student kernel got no memory group ({error}). Grade again.") from None

    def _numbers(self, limit: int) -> dict[str, int]:
        """Files that tell when a group takes too much: how many processes the system has ended, and buffers of the network, which it
        counts and does not always refuse."""
        if self.version == 1:
            return {"memory.oom_control": 0, "memory.kmem.tcp.usage_in_bytes": int(limit * NETWORK)}
        return {"memory.events": 0, "memory.current": int(limit * (1 + SPARE)) + MB}

    def _limit(self, folder: Path, limit: int) -> None:
        most = str(int(limit * (1 + SPARE)))
        if self.version == 2:
            (folder / "memory.max").write_text(most)
            (folder / "memory.oom.group").write_text("1")
            _if_there(folder / "memory.swap.max", "0")
        else:
            (folder / "memory.limit_in_bytes").write_text(most)
            _if_there(folder / "memory.memsw.limit_in_bytes", most)
            _if_there(folder / "memory.kmem.tcp.limit_in_bytes", str(limit))  # from then on they are counted

    def close(self) -> None:
        """Remove all groups, when no kernel runs any more."""
        for folder in self.parent.glob("k*"):
            remove(folder)
        remove(self.parent)


def remove(folder: Path) -> None:
    """Remove a group that nobody is in, or is leaving. What stays is empty, and costs next to nothing."""
    end = time.monotonic() + REMOVE_SECONDS
    while folder.exists():
        try:
            folder.rmdir()
        except OSError:
            if time.monotonic() > end:
                return
            time.sleep(0.01)


def groups_named(name: str) -> MemoryGroups | None:
    """Groups of this name, to make some in; None where there are none to be had."""
    if (place := groups_can_be_had()) is None:
        return None
    groups = MemoryGroups(place[0] / name, place[1])
    groups.parent.mkdir(exist_ok=True)
    if groups.version == 2:
        (groups.parent / "cgroup.subtree_control").write_text("+memory")
    return groups


def remove_named(name: str) -> None:
    """Remove the groups of somebody who was killed."""
    if (place := groups_can_be_had()) is not None and (parent := place[0] / name).is_dir():
        MemoryGroups(parent, place[1]).close()


def what_holds() -> str:
    """Which of the two bounds memory on this machine, in words."""
    if (place := groups_can_be_had()) is None:
        return "memory is counted process by process, as this user can make no memory group here"
    return f"a memory group (cgroup version {place[1]}) for each kernel"


@cache
def groups_can_be_had() -> tuple[Path, int] | None:
    """The folder of the tree below which groups can be made, and the tree's version; None where there are none to be had. It is tried once."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        if (own := _own_folder("memory")) is not None:
            return (own, 1) if _works(own, 1) else None
        if (own := _own_folder("")) is not None:
            return next(((folder, 2) for folder in _delegated(own) if _works(folder, 2)), None)
    return None


def _own_folder(controller: str) -> Path | None:
    """Where this process is in the tree of a controller of version 1, or of version 2 where none is named."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controller not in controllers.split(","):
            continue
        for mounted in Path("/proc/self/mountinfo").read_text().splitlines():
            before, _, after = mounted.partition(" - ")
            root, point = before.split()[3:5]
            kind, _, options = after.split()[:3]
            if (kind == "cgroup2" if not controller else kind == "cgroup" and controller in options.split(",")) and os.path.commonpath(
                [root, path]
            ) == root:
                return Path(point, os.path.relpath(path, root))
    return None


def _delegated(own: Path) -> list[Path]:
    """Folders of version 2 that may have groups of this user's, the nearest first. None may hold processes itself."""
    base = own.parent if own.name == OWN_LEAF else own
    above = [
        folder for folder in (base, *base.parents) if (folder / "cgroup.subtree_control").exists() and os.access(folder / "cgroup.procs", os.W_OK)
    ]
    ready = [folder for folder in above if "memory" in (folder / "cgroup.subtree_control").read_text().split()]
    if not ready and above and "memory" in (top := above[-1]).joinpath("cgroup.controllers").read_text().split():
        _move_to_leaf(top)
        ready = [top]
    return ready


def _move_to_leaf(folder: Path) -> None:
    """Move all processes of a folder into one below it: version 2 lets a folder have processes or limits below, and not both."""
    leaf = folder / OWN_LEAF
    leaf.mkdir(exist_ok=True)
    for process in (folder / "cgroup.procs").read_text().split():
        with contextlib.suppress(OSError):  # gone, or the system's own
            (leaf / "cgroup.procs").write_text(process)
    (folder / "cgroup.subtree_control").write_text("+memory")


def _works(folder: Path, version: int) -> bool:
    """Whether a group can be made there, and a process of ours gets into it."""
    trial = folder / f"nbjudge-try-{os.getpid()}"
    try:
        trial.mkdir()
        if version == 2:
            (trial / "cgroup.subtree_control").write_text("+memory")
        group = MemoryGroups(trial, version).make("k", 64)
        try:
            return _enters(group)
        finally:
            group.close()
    except (OSError, KernelStartFailed):
        return False
    finally:
        MemoryGroups(trial, version).close()


def _enters(group: MemoryGroup) -> bool:
    child = os.fork()
    if child == 0:
        try:
            os.write(group.files[0], b"0")
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def _if_there(file: Path, text: str) -> None:
    """Write to a file that not each Linux has. There is no swap, or no such counter, where it is missing."""
    if file.exists():
        file.write_text(text)
