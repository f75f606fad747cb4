"""What a test does beyond its own process with texts that may be a student's: it starts programs, and opens databases.

A command that a student's function returns would run where the examiner runs, and so would a script that it wrote. A statement of SQL runs
in the test's own database, and could attach any other file.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sqlite3
import sqlite3.dbapi2
import sys
from collections.abc import Collection, Iterator
from types import FrameType
from typing import Any

STARTS = ("os.system", "subprocess.Popen", "os.posix_spawn", "os.exec")
STARTERS = ("subprocess", "os")  # modules that start a program for who calls them
OPTIONS = {"-c", "-m", "/bin/sh"}


def starter(frame: FrameType | None) -> FrameType | None:
    """Who wants the program that is started by the code of `frame`."""
    while frame is not None and frame.f_globals.get("__name__") in STARTERS:
        frame = frame.f_back
    return frame


def is_own(event: str, arguments: tuple[Any, ...], texts: Collection[str]) -> bool:
    """Whether a command that an audit event tells of consists of these texts, of options, and of the Python that runs now."""
    words = arguments[0] if event == "os.system" else arguments[1]
    return all(word in texts or word in OPTIONS or word == sys.executable for word in _words(words))


def _words(command: Any) -> Iterator[str]:
    for word in [command] if isinstance(command, (str, bytes, os.PathLike)) else command or ():
        yield os.fsdecode(word).strip()


@contextlib.contextmanager
def watched() -> Iterator[None]:
    """Let statements on connections that are opened meanwhile attach no file outside the working folder."""
    before = sqlite3.connect

    @functools.wraps(before)
    def connect(*arguments: Any, **keywords: Any) -> sqlite3.Connection:
        connection = before(*arguments, **keywords)
        connection.set_authorizer(_attaches)
        return connection

    sqlite3.connect = sqlite3.dbapi2.connect = connect  # type: ignore[assignment]
    try:
        yield
    finally:
        sqlite3.connect = sqlite3.dbapi2.connect = before


def _attaches(action: int, place: str | None, *_: Any) -> int:
    if action != sqlite3.SQLITE_ATTACH or place in ("", ":memory:"):
        return sqlite3.SQLITE_OK
    folder = os.path.realpath(os.getcwd())
    is_inside = place is not None and not place.startswith("file:") and os.path.realpath(place).startswith(f"{folder}{os.sep}")
    return sqlite3.SQLITE_OK if is_inside else sqlite3.SQLITE_DENY
