"""Which system calls a student's processes may make: two seccomp filters, made by libseccomp once and loaded into each kernel.

The first names what is allowed, so that a call that Linux learns tomorrow is refused today. The second takes back some of that: single
commands of calls that do many things, and file locks. Where both refuse, Linux takes the second one's errno.
"""

import ctypes
import errno
import fcntl
import itertools
import mmap
import os
import socket
import tempfile
from dataclasses import dataclass
from types import ModuleType
from typing import Any

ALLOWED = tuple(
    """
    read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 open openat openat2 creat close close_range lseek
    dup dup2 dup3 fcntl ioctl stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents getdents64
    getcwd chdir fchdir rename renameat renameat2 link linkat symlink symlinkat unlink unlinkat mkdir mkdirat rmdir mknod mknodat
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat umask utime utimes utimensat futimesat truncate ftruncate fallocate
    fadvise64 readahead sync syncfs fsync fdatasync sync_file_range statfs fstatfs sendfile copy_file_range splice tee pipe pipe2
    getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
    select pselect6 poll ppoll epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2
    signalfd signalfd4 timerfd_create timerfd_settime timerfd_gettime

    brk mmap munmap mremap mprotect madvise msync mlock mlock2 munlock mlockall munlockall membarrier pkey_alloc pkey_free pkey_mprotect

    fork vfork clone execve exit exit_group wait4 waitid kill tkill tgkill pidfd_open pidfd_send_signal getpid getppid gettid getpgid
    getpgrp setpgid getsid setsid getuid geteuid getgid getegid getgroups getresuid getresgid setuid setgid setreuid setregid setresuid
    setresgid setfsuid setfsgid setgroups capget capset prctl arch_prctl personality getpriority setpriority ioprio_get ioprio_set
    sched_yield sched_getaffinity sched_setaffinity sched_getparam sched_setparam sched_getscheduler sched_setscheduler sched_getattr
    sched_setattr sched_get_priority_max sched_get_priority_min sched_rr_get_interval getrlimit setrlimit prlimit64 getrusage times
    sysinfo uname getcpu getrandom set_tid_address set_robust_list get_robust_list rseq futex futex_waitv
    rt_sigaction rt_sigprocmask rt_sigpending rt_sigsuspend rt_sigtimedwait rt_sigqueueinfo rt_tgsigqueueinfo rt_sigreturn sigaltstack
    pause alarm getitimer setitimer nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time restart_syscall
    timer_create timer_settime timer_gettime timer_getoverrun timer_delete

    bind connect listen accept accept4 getsockname getpeername sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg shutdown setsockopt
    getsockopt shmget shmat shmdt shmctl semget semop semtimedop semctl msgget msgsnd msgrcv msgctl
    mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr

    seccomp
""".split()
)  # own namespaces make System V's and POSIX's messages a matter of one kernel with itself; seccomp loads the second filter
FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6)
AF_NETLINK = 16
ALL_FAMILIES = range(64)  # Linux 6.18 has 46
PROTOCOLS = {socket.AF_UNIX: (0, 1), socket.AF_INET: (0, 6, 17), socket.AF_INET6: (0, 6, 17)}  # any, TCP, UDP: others load modules

# What exists and is refused: what people expect to hear there is EPERM. Anything that is in no list does not exist: ENOSYS.
NOT_PERMITTED = tuple(
    """
    keyctl add_key request_key bpf userfaultfd perf_event_open ptrace process_vm_readv process_vm_writev process_madvise pidfd_getfd kcmp
    unshare setns mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr swapon swapoff
    reboot kexec_load kexec_file_load init_module finit_module delete_module quotactl quotactl_fd acct settimeofday clock_settime
    clock_adjtime adjtimex sethostname setdomainname syslog iopl ioperm name_to_handle_at open_by_handle_at fanotify_init fanotify_mark
    lookup_dcookie vhangup seccomp
""".split()
)
NAMESPACES = tuple(1 << bit for bit in (17, 25, 26, 27, 28, 29, 30))  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW = 36, 37, 38
TIOCSTI, TIOCLINUX, TIOCSETD = 0x5412, 0x541C, 0x5423  # type for another, paste for another, another line discipline
PR_SET_SECCOMP, PR_SCHED_CORE = 22, 62
SO_ATTACH_FILTER, SO_ATTACH_BPF, SO_ATTACH_REUSEPORT_CBPF, SO_ATTACH_REUSEPORT_EBPF = 26, 50, 51, 52
RWF_NOWAIT = 8
# What takes memory of the system's that no process shows, or none that still has it: System V's, and shared memory without a file.
UNCOUNTED = ("shmget", "semget", "msgget", "mq_open")
MAP_TYPE, SHARED_ANONYMOUS = 0xF, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS
F_SETPIPE_SZ = 1031
ANY_PERSONALITY = 0xFFFFFFFF  # asks, and sets nothing
INT = 0xFFFFFFFF  # Linux reads 32 bits of these arguments, so what stands above them must not make a difference

SET_MODE_FILTER, SPEC_ALLOW = 1, 4
INSTRUCTION = 8  # bytes
BINARY_TREE = 2  # instead of one comparison after the other

_libc = ctypes.CDLL(None, use_errno=True)  # opened here: doing so in each kernel would take longer than the filter does


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


@dataclass(frozen=True)
class Filter:
    """Two compiled filters and the number of the call that loads them."""

    programs: tuple[bytes, ...]
    number: int

    def load(self) -> None:
        """Put the calling thread, and all that it starts from now on, under the filter, for good.

        It needs `no_new_privs`. Where Linux would slow a filtered process down against its own speculation (before 5.16), it does
        not: what a student's process could read so is its own.

        Raises:
            OSError: this Linux has no seccomp filters.
        """
        for program in self.programs:
            about = _Program(len(program) // INSTRUCTION, program)
            if _libc.syscall(self.number, SET_MODE_FILTER, SPEC_ALLOW, ctypes.byref(about)) != 0:
                number = ctypes.get_errno()
                raise OSError(number, f"seccomp: {os.strerror(number)}")


def compiled(bounds_memory: bool = False, network: bool = True) -> Filter:
    """The filter for this processor. Calls that it, or this libseccomp, does not know are left out, and so they are refused.

    Args:
        bounds_memory: whether to refuse, too, what takes memory that no process shows: for kernels without a memory group.
        network: whether Internet sockets are allowed: for kernels with a network of their own, in which nobody else is.

    Raises:
        ImportError, RuntimeError: pyseccomp or libseccomp is not installed.
        OSError: libseccomp refuses a rule.
    """
    import pyseccomp

    families = FAMILIES if network else FAMILIES[:1]
    programs = tuple(_export(made) for made in (_allowed(pyseccomp, families), _taken_back(pyseccomp, bounds_memory, families)))
    return Filter(programs, pyseccomp.resolve_syscall(pyseccomp.system_arch(), "seccomp"))


def _allowed(seccomp: ModuleType, families: tuple[socket.AddressFamily, ...]) -> Any:
    """The first filter: these calls, and no other."""
    made = _filter(seccomp, seccomp.ERRNO(errno.ENOSYS))
    for name in ALLOWED:
        _add(seccomp, made, seccomp.ALLOW, name)
    for family, name in itertools.product(families, ("socket", "socketpair")):
        for protocol in PROTOCOLS[family]:
            _add(seccomp, made, seccomp.ALLOW, name, {0: family, 2: protocol})
    return made


def _taken_back(seccomp: ModuleType, bounds_memory: bool, families: tuple[socket.AddressFamily, ...]) -> Any:
    """The second filter: what of that is refused, or answered without being done."""
    made = _filter(seccomp, seccomp.ALLOW)

    def refuse(number: int, name: str, values: dict[int, int] | None = None, mask: int = INT) -> None:
        _add(seccomp, made, seccomp.ERRNO(number), name, values or {}, mask)

    for name in NOT_PERMITTED:
        refuse(errno.EPERM, name)
    for flag in NAMESPACES:
        refuse(errno.EPERM, "clone", {0: flag}, flag)
    _add_rule(seccomp, made, seccomp.ERRNO(errno.EPERM), "personality", seccomp.Arg(0, seccomp.NE, ANY_PERSONALITY))
    for family, name in itertools.product(set(ALL_FAMILIES) - set(families), ("socket", "socketpair")):
        # libzmq asks for the names of interfaces, and ends the process on any answer but EOPNOTSUPP and EINVAL.
        refuse(errno.EOPNOTSUPP if family == AF_NETLINK else errno.EAFNOSUPPORT, name, {0: family})
    for option in (PR_SET_SECCOMP, PR_SCHED_CORE):
        refuse(errno.EPERM, "prctl", {0: option})
    for command in (TIOCSTI, TIOCLINUX, TIOCSETD):
        refuse(errno.EPERM, "ioctl", {1: command})
    for option in (SO_ATTACH_FILTER, SO_ATTACH_BPF, SO_ATTACH_REUSEPORT_CBPF, SO_ATTACH_REUSEPORT_EBPF):
        refuse(errno.EPERM, "setsockopt", {1: socket.SOL_SOCKET, 2: option})
    # All kernels see the same files of the system, so a lock on one, news of one, or what of it is in memory, would be a word
    # from one student to another. Record locks never bind the process that holds them, and SQLite does not work without: they are
    # answered with yes. Other locks do bind, and libraries know the answer "not here"; flock is not allowed at all.
    for command in (fcntl.F_SETLK, fcntl.F_SETLKW):
        refuse(0, "fcntl", {1: command})
    for command in (fcntl.F_GETLK, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW, fcntl.F_SETLEASE, fcntl.F_GETLEASE, fcntl.F_NOTIFY):
        refuse(errno.EINVAL, "fcntl", {1: command})
    refuse(errno.EOPNOTSUPP, "preadv2", {5: RWF_NOWAIT}, RWF_NOWAIT)
    for name in ("sync", "syncfs"):  # nothing that a student writes is on a disk; other people's files are
        refuse(0, name)
    if bounds_memory:
        for name in UNCOUNTED:
            refuse(errno.EPERM, name)
        refuse(errno.EPERM, "mmap", {3: SHARED_ANONYMOUS}, MAP_TYPE | mmap.MAP_ANONYMOUS)
        refuse(errno.EPERM, "fcntl", {1: F_SETPIPE_SZ})
        for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):  # programs ask for some size, and work with any
            refuse(0, "setsockopt", {1: socket.SOL_SOCKET, 2: option})
    return made


def _filter(seccomp: ModuleType, otherwise: int) -> Any:
    made = seccomp.SyscallFilter(otherwise)
    made.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.KILL_PROCESS)  # 32-bit calls, which no 64-bit Python makes
    made.set_attr(seccomp.Attr.CTL_OPTIMIZE, BINARY_TREE)
    return made


def _add(seccomp: ModuleType, made: Any, action: int, name: str, values: dict[int, int] | None = None, mask: int = INT) -> None:
    arguments = (seccomp.Arg(number, seccomp.MASKED_EQ, mask, value) for number, value in (values or {}).items())
    _add_rule(seccomp, made, action, name, *arguments)


def _add_rule(seccomp: ModuleType, made: Any, action: int, name: str, *arguments: Any) -> None:
    if seccomp.resolve_syscall(seccomp.system_arch(), name) >= 0:
        made.add_rule(action, name, *arguments)


def _export(made: Any) -> bytes:
    with tempfile.TemporaryFile() as file:
        made.export_bpf(file)
        file.seek(0)
        return file.read()
