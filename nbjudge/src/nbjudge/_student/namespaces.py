"""System calls that shut a process in: namespaces, mounts, capabilities, limits. Linux; used after a fork, before
any student code runs. Python 3.11 has no `os.unshare`, so the calls go through the C library."""

import contextlib
import ctypes
import fcntl
import os
import platform
import resource
import socket
import stat
import struct
import sys
from typing import Any

from nbjudge._student.system_calls import Filter
from nbjudge._wire.limits import MB

CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWIPC, CLONE_NEWNET = 0x00020000, 0x10000000, 0x20000000, 0x08000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_SET_CHILD_SUBREAPER = 1, 4, 24, 38, 36
CAPABILITY_VERSION_3 = 0x20080522
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")  # those that bubblewrap shows

_libc = ctypes.CDLL(None, use_errno=True)


def _call(name: str, *arguments: Any) -> None:
    if getattr(_libc, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def prctl(option: int, value: int) -> None:
    """Set one process attribute; raises `OSError`."""
    _call("prctl", option, ctypes.c_ulong(value), 0, 0, 0)


def mount(source: str, target: str, kind: str | None, flags: int = 0, data: str | None = None) -> None:
    """mount(2); raises `OSError`."""
    encoded = [None if text is None else text.encode() for text in (source, target, kind)]
    _call("mount", *encoded, ctypes.c_ulong(flags), None if data is None else data.encode())


def become(uid: int | None) -> None:
    """Give up root for good when `uid` is given."""
    if uid is None:
        return
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    # The kernel marks a process that changed its user as not dumpable, which takes away its own /proc/self.
    prctl(PR_SET_DUMPABLE, 1)


def enter_namespaces() -> None:
    """Own user, mount, process, IPC and network namespaces; the next fork is process 1 of the new process namespace.

    The network is a loopback of its own: a student's server and client find each other, and nobody else's.
    """
    uid, gid = os.getuid(), os.getgid()
    _call("unshare", CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNET)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{uid} {uid} 1")
    _write("/proc/self/gid_map", f"{gid} {gid} 1")
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def private_files(box: str, scratch_mb: int, keep: list[str]) -> None:
    """Hide every other box and all shared temporary folders; `box` stays where it was, /tmp is new and bounded.

    `keep` are folders that stay visible although they lie in one of those, such as a virtual environment.
    """
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    kept = {path: os.open(path, os.O_PATH | os.O_DIRECTORY) for path in (box, *keep)}
    flags = MS_NOSUID | MS_NODEV | MS_NOEXEC
    mount("tmpfs", "/tmp", "tmpfs", flags, f"size={scratch_mb}m,nr_inodes=20000,mode=1777")
    mount("tmpfs", "/dev/shm", "tmpfs", flags, f"size={scratch_mb}m,nr_inodes=1000,mode=1777")
    # Numbers of terminals are given out one after the other, and a terminal can be opened by its number.
    mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620")
    for path, descriptor in kept.items():
        os.makedirs(path, exist_ok=True)
        mount(f"/proc/self/fd/{descriptor}", path, None, MS_BIND | MS_REC)
        os.close(descriptor)
    for name in DEVICES:  # everybody may write to these, and so may set the time at which that was, for all kernels to read
        mount("none", f"/dev/{name}", None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NOEXEC)
    try:
        mount("proc", "/proc", "proc", flags)
    except OSError:
        # Refused where the outer sandbox covers parts of its own /proc. That one stays, read-only where it matters.
        pass
    _forbid_more_namespaces()


def bound_buffers() -> None:
    """Bound what takes memory that no process shows, and that no system call tells: for kernels without a memory group.

    A shared mapping of /dev/zero is memory without a file. /dev/full reads as zeros, too, and cannot be mapped.
    """
    mount("/dev/full", "/dev/zero", None, MS_BIND)
    mount("none", "/dev/zero", None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NOEXEC)
    for name in ("tcp_rmem", "tcp_wmem"):  # of this network alone: least, usual and most bytes of a connection
        with contextlib.suppress(OSError):  # read-only in an outer sandbox's /proc
            _write(f"/proc/sys/net/ipv4/{name}", "4096 65536 65536")


def own_descriptors(keep: set[int]) -> None:
    """Give this process open files of its own in place of those that it shares with the process it was forked from.

    A shared one has one position for all, so that a kernel could set it for another one to read. Font files that matplotlib has read
    are such; what is no file goes to /dev/null. `keep` are left as they are.
    """
    null = os.open(os.devnull, os.O_RDWR)
    for number in map(int, os.listdir("/proc/self/fd")):
        if number in keep or number == null:
            continue
        try:
            flags, inheritable = fcntl.fcntl(number, fcntl.F_GETFL), os.get_inheritable(number)
        except OSError:  # the listing itself
            continue
        _replace(number, flags, null, inheritable)
    os.close(null)


def _replace(number: int, flags: int, null: int, inheritable: bool) -> None:
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.dup2(null, number, inheritable)
        return
    try:
        again = os.open(f"/proc/self/fd/{number}", flags)
    except OSError:  # not for this user
        os.dup2(null, number, inheritable)
        return
    os.lseek(again, os.lseek(number, 0, os.SEEK_CUR), os.SEEK_SET)
    os.dup2(again, number, inheritable)
    os.close(again)


def seal(system_calls: Filter) -> None:
    """Give up every capability, and what system calls are not needed. Nothing undoes this.

    It holds for the calling thread and for what that starts from now on, so no other thread may run yet.
    """
    drop_capabilities()
    system_calls.load()


def read_only(box: str) -> None:
    """Make `box` read-only in this mount namespace."""
    mount("none", box, None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)


def drop_capabilities() -> None:
    """No capability now, none through a later exec."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    for number in range(64):
        try:
            prctl(PR_CAPBSET_DROP, number)
        except OSError:
            break
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    _call("capset", header, (ctypes.c_uint32 * 6)())


def limit_resources(limits: dict[str, Any]) -> None:
    """Set the per-process limits, for this process and all it starts."""
    caps = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: int(limits["cpu_seconds"]),
        resource.RLIMIT_FSIZE: limits["file_mb"] * MB,
        resource.RLIMIT_NOFILE: limits["open_files"],
        resource.RLIMIT_DATA: _data_size() + limits["memory_mb"] * MB,
    }
    if _counts_processes_per_namespace():
        caps[resource.RLIMIT_NPROC] = limits["processes"]
    for what, amount in caps.items():
        hard = resource.getrlimit(what)[1]
        value = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
        resource.setrlimit(what, (value, value))


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def _forbid_more_namespaces() -> None:
    try:
        _write("/proc/sys/user/max_user_namespaces", "0")
    except OSError:
        # Read-only in an outer sandbox's /proc. A namespace of one's own gives no right over what lies outside it.
        pass


def _data_size() -> int:
    """Bytes of private memory that the warm process brought along (Linux; 0 elsewhere)."""
    if sys.platform != "linux":
        return 0
    with open("/proc/self/statm") as file:
        return int(file.read().split()[5]) * resource.getpagesize()


def _counts_processes_per_namespace() -> bool:
    """Before Linux 5.14 the process limit counts everything of the user, also outside; the supervisor counts there."""
    if sys.platform != "linux":
        return False
    major, minor = platform.release().split(".")[:2]
    return (int(major), int("".join(filter(str.isdigit, minor)) or 0)) >= (5, 14)
