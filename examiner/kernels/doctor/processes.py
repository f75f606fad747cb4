"""Attempts on other processes and on the rights of its own."""

from examiner.kernels.doctor.attempts import Attempt

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
        "keep a way to what is outside: a socket of another process than the examiner's line",
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
escaped = [name for name, action in {
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
    Attempt("user", "enter a namespace that is there already (setns)", "escaped = reached('setns', -1, 0)"),
)
