"""Attempts to make system calls that no lesson needs: each is to be refused before Linux looks at its arguments.

The arguments are such that a call which is not refused says so, by its result or by another error, and does no harm.
"""

from examiner.kernels.doctor.attempts import Attempt


def _reaches(what: str, *calls: str) -> Attempt:
    """An attempt that succeeds when Linux begins to carry out one of `calls`, written as arguments of `reached`."""
    return Attempt("calls", what, f"escaped = [line for line in {list(calls)!r} if eval('reached(' + line + ')')]")


MACHINE_CODE = """
import mmap
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex("{code}"))
run = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
escaped = run() != {refused}
"""
SYSTEM_CALLS = (
    _reaches(
        "keep keys for others to find (keyctl, add_key, request_key)",
        "'keyctl', 0, -3, 0, 0, 0",
        "'add_key', 0, 0, 0, 0, 0",
        "'request_key', 0, 0, 0, 0",
    ),
    _reaches("load a program into Linux (bpf)", "'bpf', 5, b'' * 8, 1 << 20"),
    _reaches("handle its own page faults (userfaultfd)", "'userfaultfd', 1", "'userfaultfd', 1 << 20"),
    _reaches("count what the processor does (perf_event_open)", "'perf_event_open', 0, 0, -1, -1, 0"),
    _reaches("trace a process (ptrace)", "'ptrace', 0x4200, 999999, 0, 0"),
    _reaches(
        "read or write another process's memory",
        "'process_vm_readv', 999999, 0, 0, 0, 0, 0",
        "'process_vm_writev', 999999, 0, 0, 0, 0, 0",
        "'process_madvise', -1, 0, 0, 0, 0",
    ),
    _reaches("take another process's open files (pidfd_getfd)", "'pidfd_getfd', -1, 0, 0"),
    _reaches("compare two processes (kcmp)", "'kcmp', 999999, 999999, 0, 0, 0"),
    _reaches("hide memory from Linux (memfd_secret)", "'memfd_secret', 1 << 20"),
    _reaches("hold memory that is no file of its scratch (memfd_create)", "'memfd_create', b'x', 1 << 20"),
    _reaches(
        "have Linux work through a queue of calls (io_uring)",
        "'io_uring_setup', 0, 0",
        "'io_uring_enter', -1, 0, 0, 0, 0, 0",
        "'io_uring_register', -1, 0, 0, 0",
    ),
    _reaches("take of what all share for such queues (io_setup)", "'io_setup', 0, 0"),
    _reaches("mount, the old way", "'mount', 1, 1, 1, 0, 1", "'umount2', 1, 1 << 30", "'pivot_root', 1, 1", "'chroot', 1"),
    _reaches(
        "mount, the new way",
        "'open_tree', -1, b'', 1 << 20",
        "'move_mount', -1, b'', -1, b'', 1 << 20",
        "'fsopen', 1, 1 << 20",
        "'fsconfig', -1, 99, 0, 0, 0",
        "'fsmount', -1, 0, 0",
        "'fspick', -1, b'', 1 << 20",
        "'mount_setattr', -1, b'', 1 << 20, 0, 0",
        "428, -1, b'', 0, 0",
    ),
    _reaches("be another personality, without random addresses", "'personality', 0x0040000"),
    _reaches("watch what others do with files (fanotify)", "'fanotify_init', 0x200, 0", "'fanotify_mark', -1, 1, 0, -1, 0"),
    _reaches("watch what others do with files (inotify)", "'inotify_init1', 0", "'inotify_add_watch', -1, b'/usr', 1"),
    _reaches("read the kernel's log (syslog)", "'syslog', 10, 0, 0", "'syslog', 99, 0, 0"),
    _reaches("set the clock", "'clock_settime', 0, 1", "'clock_adjtime', 0, 1", "'adjtimex', 1", "'settimeofday', 1, 0"),
    _reaches(
        "load a module or another Linux",
        "'init_module', 1, 0, 1",
        "'finit_module', -1, b'', 1 << 20",
        "'delete_module', 1, 0",
        "'kexec_load', 0, 0, 0, 1 << 10",
        "'kexec_file_load', -1, -1, 0, 0, 1 << 10",
    ),
    _reaches("restart the machine, or take its swap", "'reboot', 0, 0, 0, 0", "'swapon', 1, 1 << 30", "'swapoff', 1"),
    _reaches("count or limit what others store (quotactl, acct)", "'quotactl', 0x800000 << 8, 0, 0, 0", "'quotactl_fd', -1, 0, 0, 0", "'acct', 1"),
    _reaches("see what of a file is in memory (mincore, cachestat)", "'mincore', 0, 4096, 0", "451, 0, 0, 0, 0"),
    _reaches("see mounts by their number (statmount, listmount)", "457, 0, 0, 0, 0", "458, 0, 0, 0, 0"),
    _reaches("move memory between processors' parts", "'move_pages', 0, 0, 0, 0, 0, 0", "'migrate_pages', 0, 0, 0, 0", "'set_mempolicy', 99, 0, 0"),
    _reaches("change how addresses are read (modify_ldt, iopl, ioperm)", "'modify_ldt', 0, 0, 0", "'iopl', 99", "'ioperm', 0, 0, 0"),
    _reaches(
        "make any call that is not on the list (landlock, vmsplice, get_mempolicy, 600)",
        "444, 0, 0, 1",
        "'vmsplice', -1, 0, 0, 0",
        "'get_mempolicy', 0, 0, 0, 0, 0",
        "600, 0, 0, 0",
        "'lookup_dcookie', 0, 0, 0",
    ),
    _reaches("put a filter of its own on top", "'seccomp', 99, 0, 0", "'prctl', 22, 2, 0, 0, 0", "'prctl', 22 | 1 << 32, 2, 0, 0, 0"),
    _reaches(
        "filter packets by a program",
        *(f"'setsockopt', socket.socket(socket.AF_UNIX).detach(), 1, {option}, ctypes.create_string_buffer(16), 16" for option in (26, 50)),
    ),
    Attempt(
        "calls",
        "type into a terminal for others (TIOCSTI, TIOCLINUX)",
        """
import pty
terminal = pty.openpty()[1]
byte = ctypes.create_string_buffer(b"x")
escaped = [hex(command) for command in (0x5412, 0x541C, 0x5423, 0x5412 | 1 << 32) if reached("ioctl", terminal, command, byte)]""",
    ),
    Attempt(
        "calls",
        "read a file only if it is in memory (RWF_NOWAIT)",
        """
with open("/bin/true", "rb") as file:
    escaped = done(os.preadv, file.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)""",
    ),
    Attempt(
        "calls",
        "have its files written to a disk while others wait (sync)",
        """
import time
start = time.thread_time()
escaped = reached("sync") and reached("syncfs", -1) and call("syncfs", -1) != 0""",
    ),
    Attempt("calls", "make 32-bit calls (int 0x80)", MACHINE_CODE.format(code="b814000000cd80c3", refused=-38), machine="x86_64"),
    Attempt("calls", "make calls with 32-bit addresses (x32)", "escaped = call(0x40000000 + 39) not in REFUSED", machine="x86_64"),
)
