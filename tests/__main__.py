"""`python -m tests [PATH ...]`: run the tests, or a part, whole, and leave nothing behind.

Arguments are those of pytest; a folder of `tests` or of `nbjudge/tests` may be given by its name alone. Three tests run at once, each with
kernels, browsers or servers, on a machine that may have two cores, so what fails runs once more and is named (at most five tests: where more
fail, something is broken).

The run has failed when a collected test has no outcome, when a process that it started is still there after it, or when the machine has other
accounts than before. What tests write to HOME and to the folder for temporary files is gone with it.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import FrameType

import psutil

ROOT = Path(__file__).resolve().parents[1]
FAILED = 1  # pytest's exit status for tests that failed
PR_SET_CHILD_SUBREAPER = 36  # prctl(2)
PATIENCE = 10.0  # seconds for processes to end once pytest has
OUTER = "TESTS_OUTER_RUN"  # set for what a run starts: a run inside of it leaves the accounts, which other tests may change meanwhile, to it
LEAD_ELSEWHERE = ("XDG_", "JUPYTER", "IPYTHONDIR", "MPLCONFIGDIR")  # how variables begin that name folders of a user


def main(arguments: list[str]) -> int:
    """Run pytest with these arguments; the exit status."""
    adopt_orphans()
    before = accounts()
    with tempfile.TemporaryDirectory(prefix="t") as name:
        folder, receipt = Path(name), Path(name, "receipt.json")
        folder.chmod(0o711)  # a server's own user has to get to what is its own in there
        settings = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), "-o", f"cache_dir={folder / 'cache'}", "--receipt", str(receipt)]
        command = [sys.executable, "-m", "pytest", *settings, *map(by_name, arguments)]
        status = run(command, surroundings(folder))
        problems = [*what_is_missing(status, receipt), *end_what_is_left()]
    if OUTER not in os.environ and (changed := accounts() ^ before):
        problems.append(f"the accounts of this machine changed: {', '.join(sorted(changed))}")
    for problem in problems:
        print(f"\nThis run has failed: {problem}.", file=sys.stderr, flush=True)
    return status or (FAILED if problems else 0)


def by_name(argument: str) -> str:
    """The path of a folder of `tests`, or of the grader's, that is called by its name; any other argument as it is."""
    parts = [folder / argument for folder in (ROOT / "tests", ROOT / "nbjudge" / "tests")]
    return next((str(part) for part in parts if argument.isidentifier() and part.is_dir()), argument)


def surroundings(folder: Path) -> dict[str, str]:
    """The environment of the tests: what they keep for a user, and what they keep for a while, lies in this folder."""
    home, temporary = folder / "home", folder / "t"
    home.mkdir()
    temporary.mkdir(mode=0o1777)
    temporary.chmod(0o1777)
    return {name: value for name, value in os.environ.items() if not name.startswith(LEAD_ELSEWHERE)} | {
        "HOME": str(home),
        "TMPDIR": str(temporary),
        OUTER: "1",
    }


def run(command: list[str], environment: dict[str, str]) -> int:
    """The exit status of a program that gets the signals which ask this one to end."""
    program = subprocess.Popen(command, cwd=ROOT, env=environment)

    def pass_on(number: int, _: FrameType | None) -> None:
        program.send_signal(number)

    signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C reaches the program by itself; this one waits for its last words
    signal.signal(signal.SIGTERM, pass_on)
    while (status := program.poll()) is None:
        collect_orphans(program.pid)
        time.sleep(0.2)
    return 128 - status if status < 0 else status


def what_is_missing(status: int, receipt: Path) -> list[str]:
    """What speaks against a run that calls itself a success."""
    if status:
        return []
    if not receipt.is_file():
        return ["pytest's own process ended before its end, so nobody knows which tests ran"]
    told = json.loads(receipt.read_text(encoding="utf-8"))
    without = told["without_outcome"]
    return [f"{len(without)} of {told['collected']} collected tests have no outcome"] if without else []


def adopt_orphans() -> None:
    """Become the parent of whatever the tests start and forget (Linux), to see it in the end."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def collect_orphans(program: int) -> None:
    """Take note of adopted processes that have ended, as process 1 of a machine does: tests look whether they are gone."""
    for process in psutil.Process().children():
        with contextlib.suppress(psutil.Error, ChildProcessError):
            if process.pid != program and process.status() == psutil.STATUS_ZOMBIE:
                os.waitpid(process.pid, os.WNOHANG)


def end_what_is_left() -> list[str]:
    """End processes that are still there after the run, and name them."""
    _, left = psutil.wait_procs(psutil.Process().children(recursive=True), timeout=PATIENCE)
    named = [f"{process.pid} {' '.join(command_of(process))[:150]}" for process in left]
    for process in left:
        process.kill()
    psutil.wait_procs(left, timeout=PATIENCE)
    return [f"{len(left)} processes that it started were still there and are ended now: {'; '.join(named)}"] if left else []


def command_of(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline() or [process.name()]
    except psutil.Error:
        return ["?"]


def accounts() -> set[str]:
    """The names of all users and groups of this machine."""
    if sys.platform == "win32":
        return set()
    import grp
    import pwd

    return {user.pw_name for user in pwd.getpwall()} | {group.gr_name for group in grp.getgrall()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
