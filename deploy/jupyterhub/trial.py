"""Try the hub on this machine, with made-up accounts, on loopback only. Usage: trial.py [--port N] [--prefix NAME] [--folder FOLDER] [--clean]

Ctrl-C ends it and removes the accounts, their files and their processes. Whatever a crash leaves is removed by the next trial, or by --clean.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import accounts
from install import ROOT, Stop, lay_out, make_environment, run, sources, use

FOLDER = Path("/var/lib/self-attention-hub")
TEACHER, STUDENTS = "teacher", ("ada", "ben", "cem")
PORT = 8000
START_SECONDS = 120
END_SECONDS = 40
KEPT = "environments"
# What of this folder an instructor works with. A class that is being graded here stays here.
COURSE = (
    "attnlab",
    "authoring",
    "nbjudge",
    "notebooks",
    "setup",
    "source",
    "solutions",
    "nbgrader_config.py",
    "pyproject.toml",
    "requirements.txt",
    "CHANGELOG.md",
    "CITATION.cff",
    "README.md",
)
# The hub, and all that it starts, sees an empty folder in place of this one, whose answers every account may be able to read. It sees no
# other process of the machine either, and when it ends, nothing that it started goes on.
APART = ("unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc")
HIDE = 'mount -t tmpfs -o size=4k,mode=755 hidden "$0" && exec "$@"'


def main(arguments: list[str]) -> int:
    """Run a trial until it is interrupted; or clean up after one."""
    parser = argparse.ArgumentParser(prog="make hub", description=__doc__)
    parser.add_argument("--port", default="")
    parser.add_argument("--prefix", default="trial")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--environments", type=Path, default=FOLDER / KEPT)
    parser.add_argument("--clean", action="store_true")
    asked = parser.parse_args(arguments)
    os.environ["PATH"] = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"  # where useradd is, and not everybody's path
    for signum in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(signum, _interrupt)
    try:
        if sys.platform != "linux" or os.geteuid() != 0:
            raise Stop(
                "A trial of the hub makes and removes system users, which only root may do, on Linux. "
                "Next: sudo make hub, or become root in a container or a virtual machine first."
            )
        port, prefix = _port(asked.port), _prefix(asked.prefix)
        if not asked.clean:
            see_that_it_can_be_set_apart()
        with alone(asked.folder):
            cleaned = clean(asked.folder)
            if asked.clean:
                shutil.rmtree(asked.environments, ignore_errors=True)
                print("Removed: " + ", ".join([*cleaned, "the trial's packages"]) + ".")
                return 0
            try:
                trial(asked.folder, asked.environments, prefix, port)
            finally:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C does not interrupt the cleaning
                print("\nEnding the trial.", flush=True)
                print("Removed: " + ", ".join(clean(asked.folder)) + ".", flush=True)
    except KeyboardInterrupt:
        return 0
    except Stop as stop:
        print(stop, file=sys.stderr)
        return 1
    return 0


def trial(folder: Path, environments: Path, prefix: str, port: int) -> None:
    """Make accounts and the hub, tell how to log in, and wait until the hub ends or Ctrl-C is pressed."""
    folder.chmod(0o755)
    ports = free_ports(port)
    people = [accounts.make(f"{prefix}-{name}", folder / "homes") for name in (TEACHER, *STUDENTS)]
    teacher, *students = people
    see_that_it_is_open(folder, teacher)
    environment = make_environment(environments)
    in_use = use(environment)
    course = copy_course(teacher, environment)
    lay_out(folder, environment, teacher.name, course)
    site = {
        "folder": str(folder),
        "environment": str(environment),
        "exchange": str(folder / "exchange"),
        "instructor": teacher.name,
        "course": str(course),
        "port": ports[0],
        "hub_port": ports[1],
        "proxy_port": ports[2],
        "students": [one.name for one in students],
    }
    (folder / "state/site.toml").write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in site.items()), encoding="utf-8")
    with running_hub(folder, environment) as hub:
        wait_until_ready(hub, ports[0], folder / "state/hub.log")
        tell(ports[0], people, folder)
        hub.wait()
    del in_use
    raise Stop(f"The hub has ended by itself. Next: its last words are\n{_end_of(folder / 'state/hub.log')}")


def see_that_it_can_be_set_apart() -> None:
    """See to it that the hub can have a view of its own of files and processes.

    Raises:
        Stop: this machine does not let it.
    """
    try:
        run([*APART, "true"], "", cwd=Path("/"))
    except Stop as stop:
        raise Stop(
            "The hub cannot be set apart from the rest of this machine: `unshare` is missing, or not allowed here. "
            "Next: use a virtual machine, or a container that is started with the right to make namespaces (--privileged)."
        ) from stop


def see_that_it_is_open(folder: Path, account: accounts.Account) -> None:
    """See to it that the accounts can get into the hub's folder.

    Raises:
        Stop: a folder above it is closed to them.
    """
    try:
        run(["test", "-x", folder], "", cwd=Path("/"), user=account.name)
    except Stop as stop:
        raise Stop(
            f"The trial's accounts cannot reach {folder}: a folder above it is closed to them. "
            "Next: choose one that everybody can reach, for example below /var/lib."
        ) from stop


def copy_course(teacher: accounts.Account, environment: Path) -> Path:
    """A copy of the course for the made-up instructor, with the notebook twins of the lessons, as `make formgrader` makes them.

    Raises:
        Stop: the twins cannot be made.
    """
    course = teacher.home / "course"
    course.mkdir()
    for name in COURSE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, course / name, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", ".progress.json"))
        else:
            shutil.copy(ROOT / name, course)
    run(["chown", "-R", f"{teacher.name}:", course], "The course cannot be given to the made-up instructor")
    run(["chmod", "-R", "u+rwX", course], "The course cannot be given to the made-up instructor")
    run(
        [environment / "bin/python", "-m", "authoring", "pair"],
        "The lessons' notebooks cannot be made",
        cwd=course,
        user=teacher.name,
        PYTHONPATH=sources(course),
    )
    return course


@contextmanager
def running_hub(folder: Path, environment: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The hub as a process group of its own; ended at the end of the block."""
    command = [*APART, "sh", "-c", HIDE, str(ROOT), str(environment / "bin/jupyterhub"), "-f", str(folder / "settings/jupyterhub_config.py")]
    with (folder / "state/hub.log").open("wb") as log:
        hub = subprocess.Popen(
            command,
            cwd=folder / "state",
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env={**os.environ, "HUB_SITE": str(folder / "state/site.toml"), "PYTHONDONTWRITEBYTECODE": "1"},
        )
    (folder / "state/hub.pid").write_text(f"{hub.pid} {_started(hub.pid)}", encoding="utf-8")
    try:
        yield hub
    finally:
        if hub.poll() is None:
            os.killpg(hub.pid, signal.SIGTERM)
            try:
                hub.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(hub.pid, signal.SIGKILL)
                hub.wait()


def wait_until_ready(hub: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Until the login page answers.

    Raises:
        Stop: it does not.
    """
    deadline = time.monotonic() + START_SECONDS
    while hub.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/hub/login", timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    raise Stop(f"The hub does not start. Next: look at its last words:\n{_end_of(log)}")


def clean(folder: Path) -> list[str]:
    """Remove what a trial has made: processes, accounts, files. The environments stay.

    Returns:
        What was removed, in words.
    """
    _end_left_over_hub(folder / "state")
    removed = accounts.remove_all(folder / "homes")
    for entry in folder.iterdir():
        if entry.name not in (KEPT, "lock"):
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
    return [*removed, "their files"]


def _end_left_over_hub(state: Path) -> None:
    """End the hub and the proxy of a trial that did not end by itself, if they are still the processes that it started."""
    try:
        pid, started = (state / "hub.pid").read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return
    if _started(int(pid)) == started:
        os.killpg(int(pid), signal.SIGKILL)


def _started(pid: int) -> str:
    """When a process began, in the machine's ticks; empty when there is none. A number that is given again began later."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[19]
    except OSError:
        return ""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """For as long as nobody else runs a trial in this folder.

    Raises:
        Stop: somebody does.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Stop(f"A trial runs already in {folder}. Next: end it with Ctrl-C where it was started.") from error
        yield


def free_ports(wanted: int) -> list[int]:
    """Three ports that nobody listens at: the wanted one, or else any, for people; and two for the hub's own use.

    Raises:
        Stop: the wanted one is taken.
    """
    probes = [socket.socket() for _ in range(3)]
    try:
        for probe, port in zip(probes, (wanted, 0, 0)):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError as error:
                raise Stop(f"Port {port} is taken. Next: choose another, for example make hub PORT={port + 10}.") from error
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()


def tell(port: int, people: list[accounts.Account], folder: Path) -> None:
    """Say where the hub is, who can log in, and how to end it."""
    print(f"\nThe hub is at http://127.0.0.1:{port}\n")
    for person in people:
        print(f"  {person.name:<24}{person.password:<20}{'the instructor' if person is people[0] else 'a student'}")
    print(
        f"\nLog in as several people at once with a private window for each. What to try stands in deploy/jupyterhub/README.md.\n"
        f"The hub's log is {folder / 'state/hub.log'}. Ctrl-C ends the trial and removes the accounts with their files.",
        flush=True,
    )


def _port(asked: str) -> int:
    if not asked:
        return PORT
    if not asked.isdecimal() or not (asked == "0" or 1024 <= int(asked) <= 65535):
        raise Stop(f"PORT={asked} is not a port. Next: give a number from 1024 to 65535, for example make hub PORT=8010.")
    return int(asked)


def _prefix(asked: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9]{0,15}", asked):
        raise Stop(f"PREFIX={asked} cannot begin an account's name. Next: give up to 16 small letters and digits, for example make hub PREFIX=demo.")
    return asked


def _end_of(log: Path) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-12:])


def _interrupt(signum: int, frame: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
