"""Makes the attempts: in kernels as grading starts them, one after the other, and the pairs in two kernels at once."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from nbjudge._sandbox import bubblewrap
from nbjudge._sandbox.channel import Channel
from nbjudge._sandbox.doctor.attempts import PRELUDE, Attempt, AttemptResult, Pair
from nbjudge._sandbox.doctor.files import FILES
from nbjudge._sandbox.doctor.limits import AMOUNTS
from nbjudge._sandbox.doctor.memory import MEMORY
from nbjudge._sandbox.doctor.outside import shared
from nbjudge._sandbox.doctor.pairs import PAIRS
from nbjudge._sandbox.doctor.processes import PROCESSES, SYSTEM_CALLS
from nbjudge._sandbox.doctor.together import TOGETHER
from nbjudge._sandbox.running import RunningKernel
from nbjudge._sandbox.starting import WarmKernels
from nbjudge._wire.errors import KernelGone, TestStopped
from nbjudge._wire.limits import Limits

ATTEMPTS = (*FILES, *PROCESSES, *SYSTEM_CALLS, *AMOUNTS, *MEMORY, *TOGETHER)
SECONDS = 60
VARIABLE = "NBJUDGE_DOCTOR"  # of the grading process's environment
SLEEPER = ("sleep", f"60.{os.getpid()}")  # found by its number while it stays


class Patient:
    """A kernel that attempts are made in; a new one when it has ended."""

    def __init__(self, warm: WarmKernels, limits: Limits, facts: dict[str, Any]):
        self._warm, self._limits, self._facts = warm, limits, facts
        self._kernel: RunningKernel | None = None

    def kernel(self) -> RunningKernel:
        """The kernel, with the prelude in it."""
        if self._kernel is None or self._kernel.poll() is not None:
            self.close()
            self._kernel = self._warm.start(self._limits)
            self._channel = Channel(self._kernel, self._limits)
            self._channel.run(PRELUDE.format(facts={**self._facts, "box": str(self._kernel.box)}), SECONDS)
        return self._kernel

    def run(self, code: str) -> str:
        """What `code` prints after the prelude. Raises `TestStopped`."""
        self.kernel()
        outputs = self._channel.run(code, SECONDS)
        return "".join(output.get("text", "") for output in outputs if output.output_type == "stream")

    def close(self) -> None:
        """End the kernel, if there is one."""
        if self._kernel is not None:
            self._kernel.close()
            self._kernel = None


def examine(packages: tuple[str, ...] = (), sandboxed: bool = True, limits: Limits | None = None) -> list[AttemptResult]:
    """Make every attempt, then look for what student kernels left behind or changed outside."""
    limits = limits or Limits()
    with _surroundings(packages, limits) as facts, WarmKernels(packages, sandboxed) as warm:
        findings = _make_all(warm, limits, facts)
        patients = [Patient(warm, limits, facts) for _ in range(2)]
        findings += [_make_pair(pair, *patients) for pair in PAIRS]
        findings += shared(warm.process, [patient.kernel() for patient in patients])
        for patient in patients:
            patient.close()
        return [*findings, _left_behind(warm, limits), _links_followed(warm, limits, Path(facts["secret"]))]


@contextlib.contextmanager
def _surroundings(packages: tuple[str, ...], limits: Limits) -> Iterator[dict[str, Any]]:
    """What there is to attack, and the facts that attempts know of it."""
    folder = Path(tempfile.mkdtemp(prefix="nbjudge-doctor-", dir=_home()))
    abstract = f"\0{folder.name}"
    os.environ[VARIABLE] = folder.name
    try:
        (folder / "secret").write_text("secret")
        with socket.create_server(("127.0.0.1", 0)) as server, _listening(abstract), _listening(_path(folder, "socket")):
            yield {
                "port": server.getsockname()[1],
                "abstract": abstract,
                "socket": _path(folder, "socket"),
                "folder": os.getcwd(),
                "secret": str(folder / "secret"),
                "pid": os.getpid(),
                "nice": os.getpriority(os.PRIO_PROCESS, 0),
                "variable": VARIABLE,
                "limits": limits.as_dict(),
                "numbers": _numbers(),
                "paths": [*bubblewrap.shown(packages), *bubblewrap.SYSTEM],
                "shown": (*packages, "nbjudge", Path(sys.prefix).name),  # Python itself may lie in the course's folder
            }
    finally:
        del os.environ[VARIABLE]
        shutil.rmtree(folder)


def _path(folder: Path, name: str) -> str:
    """A socket's address, as short as the system wants it."""
    return os.path.relpath(folder / name) if len(str(folder / name)) > 100 else str(folder / name)


@contextlib.contextmanager
def _listening(address: str) -> Iterator[None]:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address)
        server.listen()
        yield


def _numbers() -> dict[str, int | None]:
    """System calls by name; None: this processor has no such call."""
    try:
        import pyseccomp  # where there is a sandbox, there is this
    except (ImportError, RuntimeError):
        return {}
    from nbjudge._student.system_calls import ALLOWED, NOT_PERMITTED

    others = (
        "socket flock clone3 memfd_secret memfd_create io_uring_setup io_uring_enter io_uring_register io_setup inotify_init1 "
        "inotify_add_watch mincore vmsplice get_mempolicy move_pages migrate_pages set_mempolicy modify_ldt"
    ).split()
    here = pyseccomp.system_arch()
    numbers = {name: pyseccomp.resolve_syscall(here, name) for name in {*ALLOWED, *NOT_PERMITTED, *others}}
    return {name: number if number >= 0 else None for name, number in numbers.items()}


def _make_all(warm: WarmKernels, limits: Limits, facts: dict[str, Any]) -> list[AttemptResult]:
    findings, layer, patient = [], "", Patient(warm, limits, facts)
    for attempt in ATTEMPTS:
        if attempt.machine and attempt.machine != platform.machine():
            continue
        if attempt.layer != layer or layer in ("limits", "memory"):  # what one leaves may be in the way of the next
            patient.close()
            own = replace(limits, **attempt.limits)
            patient = Patient(warm, own, {**facts, "limits": own.as_dict()})
        layer = attempt.layer
        findings.append(_make(attempt, patient))
    patient.close()
    return findings


def _make(attempt: Attempt, patient: Patient) -> AttemptResult:
    """Make one attempt."""
    return _judged(attempt, lambda: patient.run(_with_result(attempt.code)))


def _make_pair(pair: Pair, first: Patient, second: Patient) -> AttemptResult:
    def make() -> str:
        told = first.run(f"{pair.tell}\nprint('told')")
        return second.run(_with_result(pair.hear)) if "told" in told else ""

    return _judged(pair, make)


def _with_result(code: str) -> str:
    return f"{code}\nprint('escaped:', repr(escaped) if escaped else '')"


def _judged(attempt: Attempt | Pair, make: Any) -> AttemptResult:
    try:
        said = make()
    except TestStopped as stopped:
        # A kernel that is ended for what it tries does not get through either.
        return AttemptResult(attempt.layer, attempt.what, isinstance(stopped, KernelGone), str(stopped), attempt.open)
    # An attempt that says nothing proves nothing.
    detail = said.partition("escaped:")[2].strip()[:80] if "escaped:" in said else "the attempt itself failed"
    return AttemptResult(attempt.layer, attempt.what, not detail, detail, attempt.open if "escaped:" in said else "")


def _left_behind(warm: WarmKernels, limits: Limits) -> AttemptResult:
    """Whether a kernel's folder, or a process that it tried to leave, is still there when it has ended."""
    kernel = warm.start(limits)
    Channel(kernel, limits).run(f"import subprocess; subprocess.Popen({SLEEPER!r}, start_new_session=True)", SECONDS)
    kernel.close()
    left = ["its folder"] if kernel.box.exists() else []
    listing = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=False).stdout if shutil.which("ps") else ""
    if " ".join(SLEEPER) in listing.splitlines():
        left.append("a process")
    return AttemptResult("end", "leave a process or a file behind", not left, " and ".join(left))


def _links_followed(warm: WarmKernels, limits: Limits, secret: Path) -> AttemptResult:
    """Whether links in a submission's folder, and in what the kernel writes, lead the grader to files outside."""
    with tempfile.TemporaryDirectory(dir=secret.parent) as folder:
        submitted = Path(folder)
        (submitted / "file").symlink_to(secret)
        (submitted / "folder").symlink_to(secret.parent)
        before = secret.parent.stat(), secret.stat()
        kernel = warm.start(limits, submitted)
        try:
            said = Channel(kernel, limits).run(
                PRELUDE.format(facts={})
                + f"""
print('escaped:', readable('file') or readable('folder/secret') or '')
for place in ('.', '/tmp', {str(kernel.box)!r}):
    done(os.symlink, {str(secret.parent)!r}, place + '/link')
""",
                SECONDS,
            )
        finally:
            kernel.close()
        text = "".join(output.get("text", "") for output in said)
        trouble = [] if text.startswith("escaped: \n") else [f"read through one: {text.strip()}"]
        if not secret.is_file() or [(s.st_uid, s.st_gid, s.st_mode) for s in before] != [
            (s.st_uid, s.st_gid, s.st_mode) for s in (secret.parent.stat(), secret.stat())
        ]:
            trouble.append("files outside changed their owner, their rights or are gone")
        return AttemptResult("end", "have links followed, in a submission or by what cleans up", not trouble, " and ".join(trouble))


def _home() -> str:
    """A folder that a student must not see, and that can be written."""
    home = os.path.expanduser("~")
    return home if os.access(home, os.W_OK) else os.getcwd()
