"""Who writes a course's gradebook: one process at a time, and whoever waits comes before the next submission of a watcher.

A process that wants to write takes a ticket, of which there is one, waits for the turn of the process that writes, and gives the ticket
back once it has its turn. A watcher does so for each submission. So it cannot come twice in a row while somebody holds the ticket.
The system itself gives a lock back when its process ends, in whatever way.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from nbjudge._common.terminal_text import shown
from nbjudge._course.course import Course, told
from nbjudge._nbgrader.database import server_turn
from nbjudge._wire.errors import CannotGrade

FOLDER = ".nbjudge"  # of a course: the locks, and what of the exchange is being copied
PATIENCE_SECONDS = 1800.0  # longer than any one submission takes, with its second try
AT_ONCE = 0.5  # seconds in which a turn may come without a word
NO_LOCKS = {errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP}
Tell = Callable[[str], None]


@contextlib.contextmanager
def turn(course: Course, name: str, tell: Tell, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
    """This process alone writes the gradebook of a course, for as long as the context lasts; where it is on PostgreSQL, of all machines' processes.

    Args:
        name: the command, as others are told it.
        tell: hears a sentence when there is something to wait for, and one where the file system knows no locks.
        patience: seconds after which waiting is given up.

    Raises:
        CannotGrade: another process of that name is at work, what is waited for takes too long, there can be no lock, or no server.
    """
    with contextlib.ExitStack() as turn_ends:
        with _held(course.root, "ticket", name, tell, patience):
            turn_ends.enter_context(_held(course.root, "gradebook", name, tell, patience))
        with told():
            turn_ends.enter_context(server_turn(course.folders.db_url, course.folders.course_id, name, tell, patience))
        yield


@contextlib.contextmanager
def alone(root: Path, name: str, tell: Tell) -> Iterator[None]:
    """No other process of that name works in the course, for as long as the context lasts.

    Raises:
        CannotGrade: one does.
    """
    with _held(root, name.replace(" ", "-"), name, tell, AT_ONCE):
        yield


@contextlib.contextmanager
def _held(root: Path, what: str, name: str, tell: Tell, patience: float) -> Iterator[None]:
    lock = _lock(root, what)
    about = root / FOLDER / f"{what}.json"
    try:
        _wait(lock, about, name, tell, patience)
        _write(about, name)
        yield
    finally:
        lock.release()


def _lock(root: Path, what: str) -> FileLock:
    folder = root / FOLDER
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise _no_place(error) from error
    return FileLock(folder / f"{what}.lock", fallback_to_soft=False)


def _wait(lock: FileLock, about: Path, name: str, tell: Tell, patience: float) -> None:
    """Take a lock, with a sentence where that is not at once."""
    begun = time.monotonic()
    if _taken(lock, AT_ONCE, tell):
        return
    holder = _read(about)
    if holder.get("name") == name:
        raise CannotGrade(
            f"{_in_words(holder)} is at work in this course already", "wait until it has ended, or end it, then type the same command again"
        )
    tell(f"{_in_words(holder)} comes first. This waits until the gradebook is free, and goes on by itself.")
    while not _taken(lock, 1, tell):
        if time.monotonic() - begun > patience:
            raise CannotGrade(
                f"{_in_words(_read(about))} has not given the gradebook free for {patience / 60:.0f} minutes",
                "look whether it still works, end it, then type the same command again",
            )


def _taken(lock: FileLock, seconds: float, tell: Tell) -> bool:
    try:
        lock.acquire(timeout=seconds)
    except Timeout:
        return False
    except (NotImplementedError, OSError) as error:
        if isinstance(error, OSError) and error.errno not in NO_LOCKS:
            raise _no_place(error) from error
        tell("The course lies on a file system without locks. See to it that nothing else grades meanwhile.")
    return True


def _no_place(error: OSError) -> Exception:
    """What is raised where the locks cannot be written. A full disk has a sentence elsewhere."""
    if error.errno == errno.ENOSPC:
        return error
    return CannotGrade(f"the course's folder {FOLDER} cannot be written ({error.strerror})", "mend its permissions, then type the same command again")


def _write(about: Path, name: str) -> None:
    """Leave word of who holds a lock. Without it others wait just the same."""
    told = {"name": name, "process": os.getpid(), "host": socket.gethostname(), "since": datetime.now().astimezone().isoformat(timespec="seconds")}
    with contextlib.suppress(OSError):
        fresh = about.with_suffix(".new")
        fresh.write_text(json.dumps(told), encoding="utf-8")
        os.replace(fresh, about)


def _read(about: Path) -> dict[str, Any]:
    with contextlib.suppress(OSError, ValueError):
        told = json.loads(about.read_text(encoding="utf-8"))
        if isinstance(told, dict) and not (told.get("host") == socket.gethostname() and not _runs(told.get("process"))):
            return told
    return {}


def _runs(process: object) -> bool:
    """Whether there is such a process; word of one that has ended is old."""
    try:
        os.kill(int(str(process)), 0)
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


def _in_words(holder: dict[str, Any]) -> str:
    if not holder:
        return "another program"
    since = str(holder.get("since", ""))[:19].replace("T", " ")
    return shown(f"`{holder.get('name')}` (process {holder.get('process')} on {holder.get('host')}, since {since})", 200)
