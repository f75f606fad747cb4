"""Tries to escape from the sandbox, once per layer, and says which layers hold on this machine."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from examiner.kernels import sandbox
from examiner.kernels.channel import Channel
from examiner.kernels.starting import WarmKernels
from examiner.wire.errors import KernelGone, TestStopped
from examiner.wire.limits import Limits

LIMITS = Limits(memory_mb=256, scratch_mb=64, file_mb=16, processes=64, cell_seconds=10, grace_seconds=1)
SECONDS = 15


@dataclass(frozen=True)
class Attempt:
    """An escape attempt: `code` runs in a student kernel and leaves its result in `escaped`, a false value when it failed."""

    layer: str
    what: str
    code: str


@dataclass(frozen=True)
class Finding:
    """What came of an attempt."""

    layer: str
    what: str
    holds: bool
    detail: str = ""


ATTEMPTS = (
    Attempt("network", "connect to a server on this machine", """
import socket
escaped = socket.socket().connect_ex(("127.0.0.1", {port})) == 0"""),
    Attempt("network", "see any interface but a loopback of its own", """
import socket
escaped = [name for _, name in socket.if_nameindex() if name != "lo"]"""),
    Attempt("files", "see the folder that grading runs in", """
import os
escaped = os.path.exists({folder!r}) and [n for n in os.listdir({folder!r}) if n not in {shown!r}]"""),
    Attempt("files", "read a secret of the grading user", """
import os
escaped = os.path.exists({secret!r})"""),
    Attempt("files", "read the passwords file", """
try:
    escaped = open("/etc/shadow").read(1)
except OSError:
    escaped = False"""),
    Attempt("files", "write to the system, Python or the root", """
import sys
escaped = []
for path in ("/usr", "/etc", "/", "/dev", sys.prefix, sys.base_prefix):
    try:
        open(path + "/examiner-probe", "w").close()
        escaped.append(path)
    except OSError:
        pass"""),
    Attempt("processes", "signal the grading process", """
import os
try:
    os.kill({pid}, 0)
    escaped = os.getpid() != {pid}
except OSError:
    escaped = False"""),
    Attempt("processes", "read or stop its supervisor", """
import os, signal
escaped = False
for path in ("/proc/1/mem", f"/proc/{{os.getppid()}}/environ"):
    try:
        escaped = escaped or open(path, "rb").read(1)
    except OSError:
        pass
try:
    os.kill(1, signal.SIGKILL)
except OSError:
    pass"""),
    Attempt("user", "hold any capability", """
line = [l for l in open("/proc/self/status") if l.startswith("CapEff")][0]
escaped = int(line.split()[1], 16)"""),
    Attempt("user", "be root, or become it", """
import os
escaped = os.getuid() == 0
try:
    os.setuid(0)
    escaped = True
except OSError:
    pass"""),
    Attempt("limits", "take more memory than allowed", """
try:
    data = bytearray(600_000_000)
    escaped = True
except MemoryError:
    escaped = False
data = None"""),
    Attempt("limits", "write a larger file than allowed", """
try:
    with open("large", "wb") as file:
        file.write(b"x" * 40_000_000)
    escaped = True
except OSError:
    escaped = False
import os
os.unlink("large")"""),
    Attempt("limits", "fill the disk with small files", """
escaped = True
for number in range(12):
    try:
        with open(f"small{{number}}", "wb") as file:
            file.write(b"x" * 10_000_000)
    except OSError:
        escaped = False
        break"""),
    Attempt("limits", "start more processes than allowed", """
import os, time
children, escaped = [], True
for _ in range(100):
    try:
        child = os.fork()
    except OSError:
        escaped = False
        break
    if child == 0:
        time.sleep(60)
        os._exit(0)
    children.append(child)
for child in children:
    os.kill(child, 9)
    os.waitpid(child, 0)"""),
)  # fmt: skip


def main(packages: tuple[str, ...] = (), sandboxed: bool = True) -> int:
    """Print what protects grading on this machine; 0 when every layer holds, else 1."""
    if sandboxed and (missing := sandbox.why_not()):
        print(f"✗ no sandbox: {missing}")
        print("  Grading refuses to run like this. `--no-sandbox` grades without protection: only for work you trust.")
        return 1
    print(f"examiner on Python {sys.version.split()[0]}, {_sandbox_name() if sandboxed else 'WITHOUT a sandbox'}")
    findings = examine(packages, sandboxed)
    for finding in findings:
        print(f"{'✓' if finding.holds else '✗'} {finding.layer:<10} {finding.what}{': ' * bool(finding.detail)}{finding.detail}")
    open_layers = sum(not finding.holds for finding in findings)
    print("Every attempt to escape failed." if not open_layers else f"{open_layers} of {len(findings)} attempts got through.")
    return int(open_layers > 0)


def examine(packages: tuple[str, ...] = (), sandboxed: bool = True) -> list[Finding]:
    """Make every attempt, then look for what a student kernel left behind."""
    secret = Path(tempfile.mkdtemp(prefix="examiner-doctor-", dir=_home())) / "secret"
    secret.write_text("secret")
    try:
        with socket.create_server(("127.0.0.1", 0)) as server, WarmKernels(packages, sandboxed) as warm:
            shown = tuple(packages) + ("examiner", Path(sys.prefix).name)  # Python itself may lie in the course's folder
            facts = {"port": server.getsockname()[1], "folder": os.getcwd(), "secret": str(secret), "pid": os.getpid(), "shown": shown}
            return _attempt_all(warm, facts)
    finally:
        shutil.rmtree(secret.parent)


def _attempt_all(warm: WarmKernels, facts: dict) -> list[Finding]:
    findings = [_make(attempt, warm, facts) for attempt in ATTEMPTS]
    kernel = warm.start(LIMITS)
    channel = Channel(kernel, LIMITS)
    channel.run("import subprocess; subprocess.Popen(['sleep', '4711'], start_new_session=True)", SECONDS)
    kernel.close()
    return [*findings, _left_behind(kernel.box)]


def _make(attempt: Attempt, warm: WarmKernels, facts: dict) -> Finding:
    """Make one attempt in a kernel of its own."""
    kernel = warm.start(LIMITS)
    channel = Channel(kernel, LIMITS)
    try:
        outputs = channel.run(attempt.code.format(**facts) + "\nprint('escaped:', repr(escaped) if escaped else '')", SECONDS)
    except TestStopped as stopped:
        # A kernel that is ended for what it tries does not get through either.
        return Finding(attempt.layer, attempt.what, isinstance(stopped, KernelGone), str(stopped))
    finally:
        kernel.close()
    said = "".join(output.get("text", "") for output in outputs if output.output_type == "stream")
    # An attempt that says nothing proves nothing.
    detail = said.partition("escaped:")[2].strip()[:80] if "escaped:" in said else "the attempt itself failed"
    return Finding(attempt.layer, attempt.what, not detail, detail)


def _left_behind(box: Path) -> Finding:
    """Whether the kernel's folder, or the process it tried to leave, is still there."""
    left = ["its folder"] if box.exists() else []
    listing = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout if shutil.which("ps") else ""
    if "sleep 4711" in listing.splitlines():
        left.append("a process")
    return Finding("end", "leave a process or a file behind", not left, " and ".join(left))


def _home() -> str:
    """A folder that a student must not see, and that can be written."""
    home = os.path.expanduser("~")
    return home if os.access(home, os.W_OK) else os.getcwd()


def _sandbox_name() -> str:
    version = subprocess.run(["bwrap", "--version"], capture_output=True, text=True).stdout.strip()
    user = "a user of its own per kernel" if os.geteuid() == 0 else "your user, in a user namespace of its own"
    return f"{version}, {user}"


if __name__ == "__main__":
    sys.exit(main())
