"""The layers of the sandbox, each with the edits of the grader's code that take it away and the doctor's attempts that then get through."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nbjudge._sandbox.doctor import ATTEMPTS

NAMESPACES, FILTER, SUPERVISOR, FORK_SERVER = (f"_student/{name}.py" for name in ("namespaces", "system_calls", "supervisor", "fork_server"))
BUBBLEWRAP, STARTING, GROUPS = "_sandbox/bubblewrap.py", "_sandbox/starting.py", "_sandbox/memory_groups.py"
Edit = tuple[str, str, str]  # a file below the package, what stands there, and what takes its place


@dataclass(frozen=True)
class Layer:
    """One layer. `attempts`: some of those that get through without it. `alone`: it cannot be away together with others.
    `root`: it is there only where root grades."""

    name: str
    edits: tuple[Edit, ...]
    attempts: tuple[str, ...]
    alone: bool = False
    root: bool = False


def _without(option: str) -> Edit:
    return (BUBBLEWRAP, f'"{option}"', '"--setenv", "NOTHING", ""')


def _limit(name: str, *attempts: str) -> Layer:
    chosen = f"[about for about in caps.items() if about[0] != resource.RLIMIT_{name}]"
    return Layer(f"limit {name} of a process", ((NAMESPACES, "in caps.items():", f"in {chosen}:"),), attempts, alone=True)


ONLY_SCRATCH = "have more mounted writable than its scratch, or a set-user bit, device or program count there"
HIGHER = "have a limit that is none, or higher than the settings say"
KEPT_PRIVILEGES = (
    "ROOT_KEEPS = (",
    'ROOT_KEEPS = ("CAP_SYS_ADMIN", "CAP_NET_ADMIN", "CAP_CHOWN", "CAP_SYS_RESOURCE", "CAP_FOWNER", "CAP_DAC_OVERRIDE", ',
)
SCRATCH = '    mount("tmpfs", "/tmp", "tmpfs", flags, f"size={scratch_mb}m,nr_inodes=20000,mode=1777")\n'
SHARED_MEMORY = '    mount("tmpfs", "/dev/shm", "tmpfs", flags, f"size={scratch_mb}m,nr_inodes=1000,mode=1777")\n'

UNSHOWN = tuple(attempt.what for attempt in ATTEMPTS if attempt.layer == "memory")
LAYERS = (
    # bubblewrap
    Layer(
        "only chosen folders are shown",
        ((BUBBLEWRAP, "visible = shown(packages)", 'visible = [*shown(packages), "/var"]'),),
        ("read what boots, runs and configures the machine",),
    ),
    Layer(
        "what is shown is read-only",
        ((BUBBLEWRAP, 'line += ["--ro-bind", path, path]', 'line += ["--bind", path, path]'),),
        (ONLY_SCRATCH,),
        alone=True,
    ),
    Layer("the sandbox's root is read-only", ((BUBBLEWRAP, '"--remount-ro", "/", ', ""),), (ONLY_SCRATCH,), alone=True),
    Layer("the sandbox's /dev is read-only", ((BUBBLEWRAP, '"--remount-ro", "/dev", ', ""),), (ONLY_SCRATCH,), alone=True),
    Layer(
        "the grader's code is not shown",
        ((BUBBLEWRAP, '("__init__.py", "_student", "_wire")', '("__init__.py", "_student", "_wire", "_execution")'),),
        ("read the grader's own code",),
    ),
    Layer(
        "an environment of its own",
        ((BUBBLEWRAP, '    return {\n        "PYTHONPATH"', '    return {\n        **os.environ,\n        "PYTHONPATH"'),),
        ("find the grading process's environment in its own",),
    ),
    Layer("the sandbox's process namespace", (_without("--unshare-pid"),), ("share processes (pid)",), alone=True),
    Layer("the sandbox's network namespace", (_without("--unshare-net"),), ("share a network (net)",), alone=True),
    Layer("the sandbox's IPC namespace", (_without("--unshare-ipc"),), ("share shared memory and queues (ipc)",)),
    Layer(
        "the sandbox's host name namespace",
        (_without("--unshare-uts"), (BUBBLEWRAP, '"--hostname", "student"', "")),
        ("share the machine's name (uts)",),
    ),
    Layer("the sandbox's cgroup namespace", (_without("--unshare-cgroup-try"),), ("share groups of processes (cgroup)",)),
    # namespaces of each kernel
    Layer(
        "a kernel's user namespace",
        (
            (BUBBLEWRAP, *KEPT_PRIVILEGES),
            (BUBBLEWRAP, "namespaces.enter_namespaces()\n", ""),
            (NAMESPACES, "CLONE_NEWUSER | CLONE_NEWNS", "CLONE_NEWNS"),
            (NAMESPACES, '    _write("/proc/self/setgroups", "deny")\n', ""),
            (NAMESPACES, '    _write("/proc/self/uid_map", f"{uid} {uid} 1")\n', ""),
            (NAMESPACES, '    _write("/proc/self/gid_map", f"{gid} {gid} 1")\n', ""),
            (FORK_SERVER, '            namespaces.become(start.request["uid"])\n', "            pass\n"),
            (FORK_SERVER, "        os.chdir(folder)\n", '        os.chdir(folder)\n        os.chown(folder, request["uid"], request["uid"])\n'),
            (
                FORK_SERVER,
                "        namespaces.read_only(box)\n        namespaces.seal(",
                '        namespaces.read_only(box)\n        namespaces.become(start.request["uid"])\n        namespaces.seal(',
            ),
        ),
        ("share users and rights (user)",),
        alone=True,
        root=True,
    ),
    Layer(
        "a kernel's mounts",
        (
            (NAMESPACES, "CLONE_NEWUSER | CLONE_NEWNS", "CLONE_NEWUSER"),
            (FORK_SERVER, 'namespaces.private_files(request["box"], ', 'print(request["box"], '),
            (FORK_SERVER, "        namespaces.read_only(box)\n        namespaces.seal(", "        namespaces.seal("),
            (BUBBLEWRAP, '"--tmpfs", "/tmp"', '"--perms", "1777", "--tmpfs", "/tmp"'),
        ),
        ("share mounts (mnt)", "a file in the scratch folder"),
        alone=True,
    ),
    Layer(
        "a kernel's process namespace",
        ((NAMESPACES, "CLONE_NEWNS | CLONE_NEWPID", "CLONE_NEWNS"),),
        ("share processes (pid)", "see any process but its supervisor and its own"),
        alone=True,
    ),
    Layer(
        "a kernel's IPC namespace",
        ((NAMESPACES, "CLONE_NEWIPC | ", ""),),
        ("share shared memory and queues (ipc)", "shared memory of System V"),
    ),
    Layer(
        "a kernel's network namespace",
        ((NAMESPACES, " | CLONE_NEWNET)", ")"), (NAMESPACES, "        fcntl.ioctl(", "        None and fcntl.ioctl(")),
        ("share a network (net)", "an abstract socket", "TCP on the loopback"),
    ),
    # files of each kernel
    Layer(
        "a kernel's /tmp",
        ((NAMESPACES, SCRATCH, ""), (BUBBLEWRAP, '"--tmpfs", "/tmp"', '"--perms", "1777", "--tmpfs", "/tmp"')),
        ("a file in the scratch folder",),
        alone=True,
    ),
    Layer(
        "a kernel's /dev/shm",
        ((NAMESPACES, SHARED_MEMORY, ""), (BUBBLEWRAP, '"--dev", "/dev"', '"--dev", "/dev", "--perms", "1777", "--tmpfs", "/dev/shm"')),
        ("a file in shared memory",),
        alone=True,
    ),
    Layer("a kernel's terminals", ((NAMESPACES, '    mount("devpts", ', '    None and mount("devpts", '),), ("the number of a terminal",)),
    Layer(
        "a kernel's /proc",
        ((NAMESPACES, '        mount("proc", ', '        None and mount("proc", '),),
        ("see any process but its supervisor and its own",),
    ),
    Layer(
        "sizes of /tmp and /dev/shm",
        (
            (NAMESPACES, 'f"size={scratch_mb}m,nr_inodes=20000', 'f"size=100%,nr_inodes=20000'),
            (NAMESPACES, 'f"size={scratch_mb}m,nr_inodes=1000', 'f"size=100%,nr_inodes=1000'),
        ),
        ("fill its scratch folder and shared memory beyond their size",),
        alone=True,
    ),
    Layer("numbers of files in /tmp", ((NAMESPACES, "nr_inodes=20000", "nr_inodes=0"),), ("make files without end",), alone=True),
    Layer(
        "no programs in scratch",
        ((NAMESPACES, "    flags = MS_NOSUID | MS_NODEV | MS_NOEXEC\n", "    flags = MS_NOSUID | MS_NODEV\n"),),
        ("run a program from its scratch folder", "run one through the loader, or load it as a library", ONLY_SCRATCH),
    ),
    Layer(
        "no set-user bits in scratch",
        ((NAMESPACES, "    flags = MS_NOSUID | MS_NODEV | MS_NOEXEC\n", "    flags = MS_NODEV | MS_NOEXEC\n"),),
        (ONLY_SCRATCH,),
        alone=True,
    ),
    Layer(
        "no devices in scratch",
        ((NAMESPACES, "    flags = MS_NOSUID | MS_NODEV | MS_NOEXEC\n", "    flags = MS_NOSUID | MS_NOEXEC\n"),),
        (ONLY_SCRATCH,),
        alone=True,
    ),
    Layer(
        "devices cannot be touched",
        ((NAMESPACES, "    for name in DEVICES:", "    for name in ():"),),
        ("change the rights, owner or time of what all kernels see", "the time of a device's last change"),
    ),
    Layer(
        "the box is read-only",
        ((NAMESPACES, 'mount("none", box, None, MS_REMOUNT | MS_BIND | MS_RDONLY', 'mount("none", box, None, MS_REMOUNT | MS_BIND'),),
        ("write to the folder of its connection, or mount it anew",),
    ),
    Layer(
        "open files of its own",
        (
            (NAMESPACES, "        if number in keep or number == null:", "        if True:"),
            (FORK_SERVER, "    gc.freeze()", '    os.open("/usr", os.O_RDONLY)\n    gc.freeze()'),
        ),
        (
            "the place in a file that was open before both began",
            "keep a folder open that was open before it began, which leads out of what it is shown",
        ),
    ),
    Layer(
        "the socket that kernels are asked for on is closed",
        ((FORK_SERVER, "        control.close()\n", ""), (NAMESPACES, "        if number in keep or number == null:", "        if True:")),
        ("keep a way to what is outside: a socket of another process than the grader's line",),
    ),
    Layer(
        "memory of its own",
        ((FORK_SERVER, "    gc.freeze()", "    import mmap; main.memory = mmap.mmap(-1, 4096)\n    gc.freeze()"),),
        ("share memory that it can write with the process that it comes from",),
    ),
    # system calls
    Layer(
        "the first filter of system calls",
        ((FILTER, "for program in self.programs:", "for program in self.programs[1:]:"),),
        ("make any call that is not on the list (landlock, vmsplice, get_mempolicy, 600)", "start one with the newer call (clone3)"),
        alone=True,
    ),
    Layer(
        "the second filter of system calls",
        ((FILTER, "for program in self.programs:", "for program in self.programs[:1]:"),),
        ("type into a terminal for others (TIOCSTI, TIOCLINUX)", "be another personality, without random addresses"),
        alone=True,
    ),
    Layer(
        "both filters of system calls",
        ((FILTER, "for program in self.programs:", "for program in ():"),),
        ("run a thread without the filter, or one that may gain rights", "trace a process (ptrace)"),
    ),
    Layer(
        "no more namespaces",
        ((NAMESPACES, "    _forbid_more_namespaces()\n\n", "\n"),),
        ("find that Linux would make such a namespace for it",),
    ),
    # rights
    Layer("no capabilities", ((NAMESPACES, '    _call("capset", ', '    None and _call("capset", '),), ("hold any capability, in any thread",)),
    Layer(
        "no capabilities through programs",
        ((NAMESPACES, "    for number in range(64):", "    for number in ():"),),
        ("hold any capability, in any thread",),
        alone=True,
    ),
    Layer(
        "a user that is not root",
        ((STARTING, "uid = bubblewrap.FIRST_UID + os.getpid() % 100_000 * USERS_EACH + number % USERS_EACH", "uid = 0"),),
        ("be root, or become it", "be the user that another kernel is"),
        alone=True,
        root=True,
    ),
    Layer(
        "a user for each kernel",
        ((STARTING, "number % USERS_EACH", "0"),),
        ("be the user that another kernel is",),
        root=True,
    ),
    Layer(
        "the supervisor is out of reach",
        ((FORK_SERVER, "        namespaces.prctl(namespaces.PR_SET_DUMPABLE, 0)\n", "        pass\n"),),
        ("have its supervisor ended first where memory is short, or change it otherwise",),
    ),
    Layer(
        "behind others",
        ((FORK_SERVER, "        os.nice(NICENESS)\n", ""),),
        ("run before others: higher priority, real time, never killed for want of memory",),
    ),
    # limits
    _limit("CORE", "leave a picture of its memory on the disk", HIGHER),
    _limit("CPU", "raise its own limits", HIGHER),
    _limit("FSIZE", "write a larger file than allowed", HIGHER),
    _limit("NOFILE", "open more files than allowed", HIGHER),
    _limit("DATA", "raise its own limits", HIGHER),
    _limit("NPROC", HIGHER),
    Layer(
        "the limit of a memory group",
        (
            (GROUPS, "            self._limit(folder, limit_mb * MB)\n", ""),
            (SUPERVISOR, "reason = self._by_group() or ended", "reason = ended"),
        ),
        ("take it in many processes", *UNSHOWN),
        alone=True,
        root=True,
    ),
    Layer(
        "memory that is counted, where there are no groups",
        (
            (GROUPS, "if (place := groups_can_be_had()) is None:", "if (place := None) is None:"),
            (SUPERVISOR, "not self._group and self._takes_too_much_memory(found)", "False"),
        ),
        ("take it in many processes", "hold memory of the system's in tables of pages", "hold memory in the buffers of its sockets"),
        alone=True,
    ),
    Layer(
        "memory that is refused, where there are no groups",
        (
            (GROUPS, "if (place := groups_can_be_had()) is None:", "if (place := None) is None:"),
            (FORK_SERVER, "            namespaces.bound_buffers()\n", "            pass\n"),
            (FORK_SERVER, "compiled(bounds_memory=True)) if", "compiled()) if"),
        ),
        tuple(what for what in UNSHOWN if "shared memory" in what),
        alone=True,
    ),
    Layer(
        "number of all processes together",
        ((SUPERVISOR, 'self._limits["processes"] - 2:', 'self._limits["processes"] + 999_999:'),),
        ("stay with the most threads that Linux itself allows",),
        alone=True,
    ),
    Layer(
        "computing time of all processes together",
        ((SUPERVISOR, 'self._meter.total > self._limits["cpu_seconds"]', "False"),),
        ("compute for longer than allowed, in several processes",),
        alone=True,
    ),
    Layer(
        "a share of the processors",
        ((SUPERVISOR, "        self._share.account(use, self._gauge.resting)\n", ""),),
        ("take more than its share of the processors",),
        alone=True,
    ),
    Layer(
        "all limits",
        ((NAMESPACES, "in caps.items():", "in ():"), (SUPERVISOR, " or ended or self._too_much()", " or ended")),
        ("start more processes than allowed", "start more threads than allowed"),
    ),
    # the end
    Layer(
        "the end of all",
        (
            (FORK_SERVER, "supervisor.end_all() if start.nested else", "None if start.nested else"),
            (NAMESPACES, "CLONE_NEWNS | CLONE_NEWPID", "CLONE_NEWNS"),
        ),
        ("leave a process or a file behind",),
        alone=True,
    ),
)


def take_away(package: Path, *edits: Edit) -> None:
    """Make `edits` in a copy of the grader's package, each once: layers share some."""
    for name, old, new in dict.fromkeys(edits):
        path = package / name
        text = path.read_text()
        assert old in text, f"{name} no longer says {old!r}: the layer is taken away otherwise now"
        path.write_text(text.replace(old, new))
