"""Starts student kernels: one warm process for many kernels, asked by one or more processes, with one folder ("box") and one
hang-up line for each kernel."""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import itertools
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any, cast

from nbjudge._sandbox import accounts, bubblewrap, memory_groups
from nbjudge._sandbox.running import WARM_GONE, RunningKernel
from nbjudge._wire.errors import OwnFailure, SandboxMissing, WarmProcessGone
from nbjudge._wire.limits import Limits
from nbjudge._wire.line import KIND
from nbjudge._wire.messages import Start, WarmOptions
from nbjudge._wire.shared_page import SharedPage, new_page

PLACE = Path("/tmp")  # short, because the path of a socket may not exceed about 100 characters
LOCK = "lock"  # held by the owner; the system lets go of it when the owner is gone


def new_folder() -> tuple[Path, IO[str]]:
    """A new empty folder, and the lock that says it is in use: close it to let go."""
    remove_left()
    folder = Path(tempfile.mkdtemp(prefix="nbjudge.", dir=PLACE))
    folder.chmod(0o711)
    lock = (folder / LOCK).open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    final = folder.with_name(folder.name.replace("nbjudge.", "nbjudge-"))  # from now on it may be found
    return folder.rename(final), lock


def remove_left() -> None:
    """Remove folders whose owner was killed."""
    for path in PLACE.glob(f"nbjudge-*/{LOCK}"):
        with contextlib.suppress(OSError), path.open() as lock:  # somebody else's folder is not ours to open
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path.parent)
            memory_groups.remove_named(path.parent.name)


MODULES = (
    "numpy",
    "matplotlib.pyplot",
    "matplotlib_inline.backend_inline",
    "ipywidgets",
    "nbjudge._student.kernel",
    "nbjudge._wire.arrays",
    "cloudpickle",
    # What a kernel imports while it starts: more than two thirds of its start-up time.
    "ipykernel.debugger",
    "IPython.core.completerlib",
    "IPython.core.debugger",
    "IPython.core.magics.execution",
    "matplotlib.backends.registry",
)
SLOW_FIRST = ("torch",)  # imported at once like these, unless it is known that no notebook mentions it
# What takes long to import, and leaves nothing behind that does not survive a fork, such as a thread: imported when a notebook needs it.
SLOW = (*SLOW_FIRST, "networkx", "pandas", "PIL", "scipy", "seaborn", "skimage", "sklearn", "statsmodels", "sympy", "torchvision")
WARM_SECONDS = 90
NO_SANDBOX = "{missing} Nothing was graded. To grade without protection, say --no-sandbox."
USERS_EACH = 1_000  # user ids of one process that starts kernels; by then the first ones are free again
# Requests of several processes must not run into each other. macOS has no such sockets, and no sandbox.
ONE_BY_ONE = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_STREAM
CHANNELS = ("shell", "iopub", "stdin", "control", "hb")


class KernelStarter:
    """Asks a warm process for student kernels. Copies in other processes ask the same one."""

    def __init__(
        self,
        control: socket.socket,
        boxes: Path,
        packages: tuple[str, ...],
        sandboxed: accounts.Protection,
        groups: memory_groups.MemoryGroups | None,
    ):
        self.sandboxed, self._control, self._boxes, self._packages, self._groups = sandboxed, control, boxes, packages, groups
        self._has_namespaces = sandboxed is True
        self._kept = bubblewrap.shown_in_covered(packages) if self._has_namespaces else []  # as the sandbox is started: what comes later is not there
        self._numbers = itertools.count()

    def start(
        self,
        limits: Limits,
        files: Path | Sequence[Path] | None = None,
        connection: dict[str, Any] | None = None,
        libraries: Sequence[str] = (),
    ) -> RunningKernel:
        """A new kernel, ready to be talked to.

        `files`: a folder whose content the student's cells find in their working folder, or several, of which a later one's
        files replace those of an earlier one. `connection`: for a kernel that
        Jupyter programs talk to, settings of its connection file, such as `key`; without, the grader talks to it over a
        line. `libraries`: modules that it will need; those that take long to import the warm process imports before it forks, once.
        Raises `KernelStartFailed`, `WarmProcessGone`.
        """
        number = next(self._numbers)
        box = self._boxes / f"k{os.getpid()}-{number}"
        group = self._groups.make(box.name, limits.memory_mb) if self._groups else None
        box.mkdir(mode=0o700)
        folders = [files] if isinstance(files, Path) else list(files or ())
        for folder in folders:
            _copy(folder, box / "files")
        details = None if connection is None else {**_connection(box), **connection}
        if details is not None:
            (box / "kernel.json").write_text(json.dumps(details))
        uid = None
        if self.sandboxed and os.geteuid() == 0:
            uid = bubblewrap.FIRST_UID + os.getpid() % 100_000 * USERS_EACH + number % USERS_EACH
            _give_away(box, uid)
        lines = self._request(box, uid, limits, bool(folders), details is not None, group, libraries)
        kernel = RunningKernel(box, *lines, details, group.folder if group else None)
        try:
            kernel.wait_until_ready(WARM_SECONDS, limits.start_seconds)
        except BaseException:
            kernel.close()
            raise
        return kernel

    def _request(
        self,
        box: Path,
        uid: int | None,
        limits: Limits,
        files: bool,
        jupyter: bool,
        group: memory_groups.MemoryGroup | None,
        libraries: Sequence[str],
    ) -> tuple[socket.socket, socket.socket, SharedPage]:
        """Send one request; returns the kernel's hang-up line, which tells when the request was accepted, the grader's line, and the
        page that is shared with the supervisor."""
        folder = "/tmp/work" if self._has_namespaces else str(box / "work")
        request: Start = {
            "box": str(box),
            "folder": folder,
            "uid": uid,
            "limits": limits.as_dict(),
            "connection_file": str(box / "kernel.json") if jupyter else None,
            "files": str(box / "files") if files else None,
            "group": group.most if group else [],
            "keep": self._kept,
            "libraries": [name for name in libraries if name.partition(".")[0] in (*SLOW, *self._packages)],
        }
        lifeline, its_lifeline = socket.socketpair()
        line, its_line = socket.socketpair(type=KIND)
        page = new_page()
        with its_lifeline, its_line, contextlib.suppress(OSError):  # when nobody hears, the lines hang up at once
            descriptors = [its_lifeline.fileno(), its_line.fileno(), page, *(group.files if group else ())]
            socket.send_fds(self._control, [json.dumps(request).encode()], descriptors)
        if group is not None:
            group.close()
        return lifeline, line, SharedPage(page)


class WarmKernels(KernelStarter):
    """A warm process and the kernels forked from it. Use as a context manager, or call `close`.

    `packages`: what lessons import from outside Python's own folders. `sandboxed=False` runs student code as an
    ordinary process of this user, with limits on resources and nothing else; "accounts" is the way of `accounts`.
    `later`: those of `packages` and of `SLOW_FIRST` that are imported only when a notebook needs them. `is_certain`: whether to see that
    the sandbox works, at once; else `see_that_it_is_sandboxed` has to be called before a kernel is started.
    """

    def __init__(
        self,
        packages: tuple[str, ...] = (),
        sandboxed: accounts.Protection = True,
        later: Collection[str] = (),
        is_certain: bool = True,
    ):
        if sandboxed == accounts.ACCOUNTS and (missing := accounts.why_not()):
            raise SandboxMissing(f"{missing} Nothing was graded.")
        if sandboxed is True and (missing := bubblewrap.lacks()):
            raise SandboxMissing(NO_SANDBOX.format(missing=missing))
        boxes, self._lock = new_folder()
        control, theirs = socket.socketpair(type=ONE_BY_ONE)
        super().__init__(control, boxes, packages, sandboxed, memory_groups.groups_named(boxes.name))
        self._process = self._launch(theirs, later)
        self._stderr = cast(IO[bytes], self._process.stderr)  # it is a pipe
        self._was_warm = False
        if is_certain:
            self.see_that_it_is_sandboxed()

    def see_that_it_is_sandboxed(self) -> None:
        """Raises `SandboxMissing`, and ends, where the sandbox does not work. That takes a while, in which the warm process goes on importing."""
        if self.sandboxed is True and (missing := bubblewrap.why_not()):
            self.close()
            raise SandboxMissing(NO_SANDBOX.format(missing=missing))

    def starter(self) -> KernelStarter:
        """What another process needs to start kernels from this warm process; travels to it by pickle."""
        return KernelStarter(self._control, self._boxes, self._packages, self.sandboxed, self._groups)

    def wait_until_warm(self, seconds: float = WARM_SECONDS) -> bool:
        """Whether everything is imported, waiting at most `seconds` for it. False, too, when the process has ended."""
        if not self._was_warm and select.select([self._control], [], [], seconds)[0]:
            self._was_warm = b"ready" in self._hear()
        return self._was_warm

    def _hear(self) -> bytes:
        """What the warm process said, also when it has ended since."""
        try:
            return self._control.recv(65536)
        except ConnectionResetError:  # it ended with a request unread; this comes first, and then what it said
            return self._control.recv(65536)

    @property
    def process(self) -> int:
        """The number of the process that was started here: bubblewrap's, or the warm one where there is no sandbox."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the warm process is there, warm or not yet."""
        return self._process.poll() is None

    def check(self) -> None:
        """Raises `WarmProcessGone` when the warm process has ended before it was warm: starting another will not help."""
        if not self.is_running and not self.wait_until_warm(0):
            said = self._stderr.read().decode(errors="replace").strip().splitlines()[-3:]
            raise WarmProcessGone("The warm process did not come up: " + " ".join(said))

    def start(self, *about: Any, **further: Any) -> RunningKernel:
        """As `KernelStarter.start`."""
        try:
            return super().start(*about, **further)
        except OwnFailure as error:
            self.check()
            if not self.is_running:  # it may have begun with the kernel before it ended
                raise WarmProcessGone(WARM_GONE) from error
            raise

    def close(self) -> None:
        """End the warm process and every kernel, and remove all boxes."""
        patience = 5 if self.wait_until_warm(0) else 0  # one that still imports would not hear of it
        self._control.close()
        try:
            self._process.wait(timeout=patience)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._stderr.close()
        shutil.rmtree(self._boxes, ignore_errors=True)
        if self._groups is not None:
            self._groups.close()
        self._lock.close()

    def __enter__(self) -> WarmKernels:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _launch(self, control: socket.socket, later: Collection[str]) -> subprocess.Popen[bytes]:
        options: WarmOptions = {
            "modules": [*MODULES, *(name for name in SLOW_FIRST if name not in later)],
            "packages": [name for name in self._packages if name not in later],
            "later": [name for name in self._packages if name in later],
            "font_cache": bubblewrap.font_cache(),
            "nested": self._has_namespaces,
            "accounts": self.sandboxed == accounts.ACCOUNTS,
        }
        inner = [sys.executable, "-P", "-m", "nbjudge._student.fork_server", json.dumps(options)]
        environment = bubblewrap.environment(self._packages)
        if self._has_namespaces:
            inner = bubblewrap.command(str(self._boxes), self._packages, inner)
        else:
            environment["MPLCONFIGDIR"] = str(self._boxes / ".matplotlib")
        with control:
            return subprocess.Popen(
                inner, stdin=control.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment, start_new_session=True
            )


@cache
def shared_kernels(packages: tuple[str, ...] = (), sandboxed: accounts.Protection = True) -> WarmKernels:
    """This process's warm kernels, started once and ended with it. Raises `SandboxMissing`."""
    warm = WarmKernels(packages, sandboxed)
    atexit.register(warm.close)
    return warm


def _connection(box: Path) -> dict[str, Any]:
    """Content of a connection file over sockets in `box`."""
    ports = {f"{name}_port": number for number, name in enumerate(CHANNELS, 1)}
    security = {"key": uuid.uuid4().hex, "signature_scheme": "hmac-sha256"}
    return {"transport": "ipc", "ip": str(box / "s"), "kernel_name": "nbjudge", **security, **ports}


def _copy(folder: Path, target: Path) -> None:
    """A folder's files without its notebooks. What stands in the way of one that comes later is removed, links above all."""
    for path in (path for path in folder.rglob("*") if target.exists()):
        if (other := target / path.relative_to(folder)).is_symlink():
            other.unlink()
    with contextlib.suppress(shutil.Error, FileExistsError):  # pipes and the like, and files in the place of a folder, are left out
        shutil.copytree(folder, target, ignore=shutil.ignore_patterns("*.ipynb"), symlinks=True, dirs_exist_ok=True)


def _give_away(box: Path, uid: int) -> None:
    for path in (box, *box.rglob("*")):
        os.chown(path, uid, uid, follow_symlinks=False)
