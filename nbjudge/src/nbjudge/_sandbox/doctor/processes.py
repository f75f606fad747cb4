"""Attempts on other processes, on the rights of its own, and to make system calls that no lesson needs."""

from nbjudge._sandbox.doctor.attempts import Attempt


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


PROCESSES = (
    Attempt(
        "processes",
        "signal the grading process",
        """
escaped = os.getpid() != about["pid"] and done(os.kill, about["pid"], 0)""",
    ),
    Attempt(
        "processes",
        "see any process but its supervisor and its own",
        """
escaped = [name for name in os.listdir("/proc") if name.isdigit() and name not in ("1", str(os.getpid()))]""",
    ),
    Attempt(
        "processes",
        "read its supervisor",
        """
its_own = ("mem", "environ", "maps", "auxv", "stack")
escaped = [path for process in (1, os.getppid()) for path in its_own if readable(f"/proc/{process}/{path}")]
escaped += [path for process in (1, os.getppid()) for path in ("exe", "cwd", "root", "fd/0", "fd/3", "ns/net")
            if done(os.readlink, f"/proc/{process}/{path}")]""",
    ),
    Attempt(
        "processes",
        "stop its supervisor",
        """
import signal
escaped = [number for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGSEGV) if os.getppid() == 1
           and done(os.kill, 1, number) and number not in (signal.SIGKILL, signal.SIGSTOP) and not os.path.exists("/proc/1/stat")]
escaped = escaped or os.getppid() != 1  # only the first process of a namespace is safe from the signals of the others""",
    ),
    Attempt(
        "processes",
        "have its supervisor ended first where memory is short, or change it otherwise",
        """
names = ("oom_score_adj", "oom_adj", "coredump_filter", "autogroup", "sched", "comm", "mem", "setgroups", "uid_map", "clear_refs")
escaped = [path for name in names for process in {1, os.getppid()} if writable(path := f"/proc/{process}/{name}")]""",
    ),
    Attempt(
        "processes",
        "keep a way to what is outside: a socket of another process than the grader's line",
        """
ends = []
for number in map(int, os.listdir("/proc/self/fd")):
    try:
        with socket.socket(fileno=os.dup(number)) as end:
            ends.append(struct.unpack("3i", end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0])
    except OSError:
        pass
escaped = len([process for process in ends if process != os.getpid()]) > 1""",
    ),
    Attempt(
        "processes",
        "keep a folder open that was open before it began, which leads out of what it is shown",
        """
import stat
escaped = []
for number in map(int, os.listdir("/proc/self/fd")):
    try:
        if stat.S_ISDIR(os.fstat(number).st_mode):
            escaped.append(os.readlink(f"/proc/self/fd/{number}"))
    except OSError:  # the listing itself
        pass""",
    ),
    Attempt(
        "processes",
        "overwrite the program that it and its supervisor run",
        """
escaped = os.access(os.path.realpath("/proc/self/exe"), os.W_OK)""",
    ),
    Attempt(
        "processes",
        "share memory that it can write with the process that it comes from",
        """
escaped = [line.split()[-1] for line in open("/proc/self/maps") if line.split()[1][1] == "w" and line.split()[1][3] == "s"]""",
    ),
    Attempt(
        "processes",
        "write to Linux's own settings",
        """
def same(path):
    with open(path) as file:
        text = file.read()
    number = os.open(path, os.O_WRONLY)
    try:
        os.write(number, text.encode())
    finally:
        os.close(number)
paths = ("kernel/core_pattern", "kernel/modprobe", "kernel/hostname", "kernel/ns_last_pid", "kernel/randomize_va_space",
         "vm/overcommit_memory", "vm/memfd_noexec", "fs/file-max", "user/max_user_namespaces")
escaped = [path for path in paths if os.path.exists("/proc/sys/" + path) and done(same, "/proc/sys/" + path)]
escaped += [path for path in ("/proc/sysrq-trigger", "/proc/sys/vm/drop_caches") if writable(path)]""",
    ),
    Attempt(
        "processes",
        "run before others: higher priority, real time, never killed for want of memory",
        """
def never_killed():
    number = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
    try:
        os.write(number, b"-1000")
    finally:
        os.close(number)
escaped = ["not behind"] if os.getpriority(os.PRIO_PROCESS, 0) < min(19, about["nice"] + 1) else []
escaped += [name for name, action in {
    "nice": lambda: os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0) - 1),
    "real time": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
    "never killed": never_killed,
}.items() if done(action)]""",
    ),
    Attempt(
        "user",
        "hold any capability, in any thread",
        """
escaped = [line.strip() for thread in os.listdir("/proc/self/task") for line in open(f"/proc/self/task/{thread}/status")
           if line.startswith("Cap") and int(line.split()[1], 16)]""",
    ),
    Attempt(
        "user",
        "run a thread without the filter, or one that may gain rights",
        """
lines = [line.split() for thread in os.listdir("/proc/self/task") for line in open(f"/proc/self/task/{thread}/status")]
escaped = [line for line in lines if line and {"Seccomp:": "2", "NoNewPrivs:": "1"}.get(line[0], line[-1]) != line[-1]]""",
    ),
    Attempt(
        "user",
        "be root, or become it",
        """
escaped = os.getuid() == 0 or any(done(action, *values) for action, values in (
    (os.setuid, (0,)), (os.setgid, (0,)), (os.setgroups, ([0],)), (os.setresuid, (0, 0, 0)), (os.setreuid, (0, 0))))""",
    ),
    Attempt(
        "user",
        "give a file to another user, or a program rights",
        """
open("mine", "w").close()
rights = struct.pack("<5I", 0x2000001, 0xFFFFFFFF, 0, 0, 0)
escaped = done(os.chown, "mine", 0, 0) or done(os.setxattr, "mine", "security.capability", rights)""",
    ),
    Attempt(
        "user",
        "become another user in a namespace of its own (unshare)",
        """
escaped = [flag for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000, 0x80)
           if reached("unshare", flag) and call("unshare", flag) != -errno.ENOSPC]""",
    ),
    Attempt(
        "user",
        "start a process in such a namespace (clone)",
        """
escaped = []
for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
    for number in (call("clone", flag | 17, 0, 0, 0, 0),):
        if number == 0:
            os._exit(0)
        if number > 0:
            os.waitpid(number, 0)
        if number not in (-errno.EPERM,) or call("clone", flag | 0xFF, 1, 0, 0, 0) != -errno.EPERM:
            escaped.append(hex(flag))""",
    ),
    Attempt(
        "user",
        "start one with the newer call (clone3)",
        """
arguments = ctypes.create_string_buffer(struct.pack("11Q", 0x10000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0))
number = call("clone3", arguments, 88)
if number == 0:
    os._exit(0)
escaped = number not in REFUSED""",
    ),
    Attempt(
        "user",
        "find that Linux would make such a namespace for it",
        """
with open("/proc/sys/user/max_user_namespaces") as file:
    escaped = int(file.read())""",
    ),
    Attempt("user", "enter a namespace that is there already (setns)", "escaped = reached('setns', -1, 0)"),
)
