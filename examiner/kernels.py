"""Starts student kernels: one warm process for many kernels, one folder ("box") and one hang-up line for each."""

import atexit
import contextlib
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
import time
import uuid
from functools import cache
from pathlib import Path

from examiner import sandbox
from examiner.errors import ExaminerError, KernelStartFailed, SandboxMissing
from examiner.limits import Limits

MODULES = ("numpy", "torch", "torch.nn.functional", "matplotlib.pyplot", "matplotlib_inline.backend_inline",
           "ipywidgets", "examiner.kernel", "cloudpickle",
           # What a kernel imports while it starts: two thirds of its start-up time.
           "ipykernel.debugger", "IPython.core.completerlib", "IPython.core.debugger")  # fmt: skip
WARM_SECONDS = 90
FIRST_UID = 1_400_000_000  # above what systems give to people and services
CHANNELS = ("shell", "iopub", "stdin", "control", "hb")


class RunningKernel:
    """One student kernel. Closing it ends every process it started and removes its box."""

    def __init__(self, box: Path, lifeline: socket.socket, connection: dict):
        self.box, self.connection = box, connection
        self._lifeline, self._said, self.ended = lifeline, b"", None

    def interrupt(self) -> None:
        """Send an interrupt, as Ctrl-C would."""
        self._order(b"I")

    def poll(self) -> str | None:
        """Why the kernel ended (`exit 0`, `signal SIGSEGV`, `memory`, `processes`), or None while it runs."""
        while self.ended is None and select.select([self._lifeline], [], [], 0)[0]:
            self._hear()
        return self.ended

    def fileno(self) -> int:
        """Becomes readable when there is news for `poll`."""
        return self._lifeline.fileno()

    def close(self) -> None:
        """End it. Safe to call twice."""
        if self._lifeline.fileno() >= 0:
            self._order(b"K")
            self._wait_for_hangup(5)
            self._lifeline.close()
        self.ended = self.ended or "closed"
        shutil.rmtree(self.box, ignore_errors=True)

    def wait_until_ready(self, seconds: float) -> None:
        """Return when the kernel's sockets are bound; raises `KernelStartFailed`."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self._said and self.ended is None:
            if not select.select([self._lifeline], [], [], max(0, deadline - time.monotonic()))[0]:
                raise KernelStartFailed(f"A student kernel did not come up within {seconds:g} s.")
            self._hear()
        first = json.loads(self._said.split(b"\n")[0] or b"{}")
        if "ready" not in first:
            raise KernelStartFailed(f"A student kernel did not come up. {first.get('failed', self.ended)}")

    def _hear(self) -> None:
        said = self._receive()
        self._said += said
        for line in self._said.split(b"\n")[:-1]:
            self.ended = json.loads(line).get("ended", self.ended)
        if not said:
            self.ended = self.ended or "gone"

    def _order(self, order: bytes) -> None:
        try:
            self._lifeline.sendall(order)
        except OSError:
            pass

    def _wait_for_hangup(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while select.select([self._lifeline], [], [], max(0, deadline - time.monotonic()))[0]:
            if not self._receive():
                return

    def _receive(self) -> bytes:
        try:
            return self._lifeline.recv(65536)
        except ConnectionResetError:  # it left with an order unread
            return b""


class WarmKernels:
    """A warm process and the kernels forked from it. Use as a context manager, or call `close`.

    `packages`: what lessons import from outside Python's own folders. `sandboxed=False` runs student code as an
    ordinary process of this user, with limits on resources and nothing else.
    """

    def __init__(self, packages: tuple[str, ...] = (), sandboxed: bool = True):
        if sandboxed and (missing := sandbox.why_not()):
            raise SandboxMissing(f"{missing} Nothing was graded. To grade without protection, say --no-sandbox.")
        self.sandboxed, self._packages = sandboxed, packages
        # Short, because the path of a socket may not exceed about 100 characters.
        self._boxes = Path(tempfile.mkdtemp(prefix="examiner-", dir="/tmp"))
        self._boxes.chmod(0o711)
        self._numbers = itertools.count(os.getpid() % 100_000 * 1_000)
        self._control, self._process = self._launch()
        self._ready = False

    def start(self, limits: Limits, files: Path | None = None, connection: dict | None = None) -> RunningKernel:
        """A new kernel, ready to be talked to.

        `files`: a folder whose content the student's cells find in their working folder. `connection`: settings for the
        connection file, such as `key`; `box` is filled in. Raises `KernelStartFailed`.
        """
        self._wait_until_warm()
        number = next(self._numbers)
        box = self._boxes / f"k{number}"
        box.mkdir(mode=0o700)
        if files is not None:
            with contextlib.suppress(shutil.Error):  # pipes and the like are left out
                shutil.copytree(files, box / "files", ignore=shutil.ignore_patterns("*.ipynb"), symlinks=True)
        details = {**_connection(box), **(connection or {})}
        (box / "kernel.json").write_text(json.dumps(details))
        uid = FIRST_UID + number if self.sandboxed and os.geteuid() == 0 else None
        if uid is not None:
            _give_away(box, uid)
        kernel = RunningKernel(box, self._request(box, uid, limits, files is not None), details)
        try:
            kernel.wait_until_ready(limits.start_seconds)
        except BaseException:
            kernel.close()
            raise
        return kernel

    def close(self) -> None:
        """End the warm process and every kernel, and remove all boxes."""
        self._control.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        shutil.rmtree(self._boxes, ignore_errors=True)

    def __enter__(self) -> "WarmKernels":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def _launch(self) -> tuple[socket.socket, subprocess.Popen]:
        options = {"modules": [*MODULES, *self._packages], "font_cache": sandbox.font_cache(), "nested": self.sandboxed}
        inner = [sys.executable, "-m", "examiner.warm", json.dumps(options)]
        environment = sandbox.environment()
        if self.sandboxed:
            inner = sandbox.command(str(self._boxes), self._packages, inner)
        else:
            environment["MPLCONFIGDIR"] = str(self._boxes / "matplotlib")
        ours, theirs = socket.socketpair()
        process = subprocess.Popen(
            inner, stdin=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment, start_new_session=True
        )
        theirs.close()
        return ours, process

    def _wait_until_warm(self) -> None:
        if self._ready:
            return
        self._control.settimeout(WARM_SECONDS)
        if b"ready" not in self._control.recv(65536):
            said = self._process.stderr.read().decode(errors="replace").strip().splitlines()[-3:]
            raise KernelStartFailed("The warm process did not come up: " + " ".join(said))
        self._ready = True

    def _request(self, box: Path, uid: int | None, limits: Limits, files: bool) -> socket.socket:
        folder = "/tmp/work" if self.sandboxed else str(box / "work")
        request = {
            "box": str(box), "folder": folder, "uid": uid, "limits": limits.as_dict(), "environment": {},
            "connection_file": str(box / "kernel.json"), "files": str(box / "files") if files else None,
            "keep": sandbox.shown_in_tmp(self._packages) if self.sandboxed else [],
        }  # fmt: skip
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(self._control, [json.dumps(request).encode()], [theirs.fileno()])
            answer = self._control.recv(3)
        except OSError:
            answer = b""
        if not answer:
            ours.close()
            raise ExaminerError("The warm process is gone, perhaps ended by someone or for want of memory. Grade again.")
        return ours


@cache
def shared_kernels(packages: tuple[str, ...] = (), sandboxed: bool = True) -> WarmKernels:
    """This process's warm kernels, started once and ended with it. Raises `SandboxMissing`."""
    warm = WarmKernels(packages, sandboxed)
    atexit.register(warm.close)
    return warm


def _connection(box: Path) -> dict:
    """Content of a connection file over sockets in `box`."""
    ports = {f"{name}_port": number for number, name in enumerate(CHANNELS, 1)}
    security = {"key": uuid.uuid4().hex, "signature_scheme": "hmac-sha256"}
    return {"transport": "ipc", "ip": str(box / "s"), "kernel_name": "examiner", **security, **ports}


def _give_away(box: Path, uid: int) -> None:
    for path in (box, *box.rglob("*")):
        os.chown(path, uid, uid, follow_symlinks=False)
