"""First process of the cage that `stock.py` describes: sets the limits, starts stock nbgrader, watches, counts what is left.

Runs inside the outer sandbox. Argument: JSON of the cage's numbers with `box`, `keep` and `uid`. Prints one line of JSON.
"""

import json
import os
import resource
import shutil
import signal
import sys
import time
from pathlib import Path

from nbjudge._student import namespaces, system_calls
from nbjudge._wire.limits import MB

COURSE = Path("/tmp/course")
LOOK_SECONDS = 0.1
BETWEEN = 5  # seconds from Ctrl-C to the end
SETTLE = 1  # seconds that processes have to go after nbgrader is done


def main() -> None:
    """Shut this process in, then be process 1 of a new namespace in a child."""
    told = json.loads(sys.argv[1])
    namespaces.become(told["uid"])
    namespaces.enter_namespaces()
    if child := os.fork():
        os.waitpid(child, 0)
        return
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    namespaces.private_files(told["box"], told["disk_mb"], told["keep"])
    shutil.copytree(Path(told["box"], "course"), COURSE)
    namespaces.seal(system_calls.compiled())
    print(json.dumps(watch(told)), flush=True)


def watch(told: dict) -> dict:
    """Grade and watch; what `stock.Outcome` holds."""
    ours, theirs = os.pipe()
    started, took = time.monotonic(), set()
    grader = os.fork()
    if grader == 0:
        start(told, theirs)
    os.close(theirs)
    error, end, interrupted = "", started + told["seconds"], False
    while not gone(grader):
        took |= limits_met(told)
        if "memory together" in took:
            error, end, interrupted = "killed", 0, True
        if time.monotonic() > end:
            os.kill(grader, signal.SIGKILL if interrupted else signal.SIGINT)
            error, end, interrupted = error or "hangs", time.monotonic() + BETWEEN, True
        time.sleep(LOOK_SECONDS)
    seconds = time.monotonic() - started
    took |= limits_met(told)
    if "memory together" in took:
        os.kill(-1, signal.SIGKILL)
    time.sleep(SETTLE)
    gone(grader)
    with os.fdopen(ours) as said:
        result = json.loads(said.read() or "{}")
    error = error or result.get("error", "") or ("" if "points" in result else "killed")
    files = [path for path in (COURSE / "autograded").rglob("*") if path.is_file() and path.suffix != ".ipynb"]
    return {
        "seconds": seconds,
        "points": result.get("points", {}),
        "error": error,
        "processes_left": len(everyone()),
        "files_left": len(files),
        "megabytes_left": sum(path.stat().st_size for path in files) / MB,
        "took": sorted(took),
    }


def start(told: dict, results: int) -> None:
    """Turn into stock nbgrader, which writes its result to the file descriptor `results`."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for what, amount in (
        (resource.RLIMIT_NPROC, told["processes"]),
        (resource.RLIMIT_AS, told["memory_mb"] * MB),
        (resource.RLIMIT_FSIZE, told["disk_mb"] * MB),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, int(told["seconds"]) + 10),
    ):
        resource.setrlimit(what, (amount, amount))
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    os.set_inheritable(results, True)
    grader = Path(told["box"], "stock_autograde.py")
    os.execv(sys.executable, [sys.executable, str(grader), str(COURSE), str(results), str(told["cell_seconds"])])


def gone(grader: int) -> bool:
    """Whether nbgrader has ended. Collects every process that has."""
    found = False
    while True:
        try:
            process, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return True
        if process == 0:
            return found
        found = found or process == grader


def everyone() -> list[str]:
    """Numbers of all living processes of this namespace but this one."""
    # /proc may be the outer namespace's, which also lists its first process and the one that waits for this one.
    others = {"1", os.readlink("/proc/self"), status("self")["PPid"].strip()}
    return [name for name in os.listdir("/proc") if name.isdigit() and name not in others and status(name).get("State", "Z")[0] != "Z"]


def status(name: str) -> dict[str, str]:
    """The lines of a process's `status` file; empty when it is gone."""
    try:
        return dict(line.split(":\t", 1) for line in Path("/proc", name, "status").read_text().splitlines() if ":\t" in line)
    except OSError:
        return {}


def limits_met(told: dict) -> set[str]:
    """The limits of the cage that are all but used up now."""
    found = set()
    processes = [about for name in everyone() if (about := status(name))]
    if sum(int(about.get("Threads", 1)) for about in processes) >= 0.95 * told["processes"]:
        found.add("processes")
    if any(kilobytes(about, "VmPeak") >= 0.95 * told["memory_mb"] * 1024 for about in processes):
        found.add("memory")
    # Forked processes share memory, which the quick sum counts once for each. The exact sum is slow.
    if (
        sum(kilobytes(about, "VmRSS") for about in processes) > told["together_mb"] * 1024
        and sum(share(name) for name in everyone()) > told["together_mb"] * 1024
    ):
        found.add("memory together")
    disk = os.statvfs("/tmp")
    if disk.f_bavail * disk.f_frsize < 0.05 * disk.f_blocks * disk.f_frsize:
        found.add("disk")
    if disk.f_favail < 0.05 * disk.f_files:
        found.add("files")
    return found


def kilobytes(about: dict[str, str], name: str) -> int:
    return int(about.get(name, "0 kB").split()[0])


def share(name: str) -> int:
    """Kilobytes of memory that a process holds, shared ones in equal parts."""
    try:
        lines = Path("/proc", name, "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


if __name__ == "__main__":
    main()
