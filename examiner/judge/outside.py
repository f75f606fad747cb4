"""What a test does beyond its own process with texts that may be a student's: it starts programs, changes files and opens databases.

A command that a student's function returns would run where the examiner runs, and so would a script that it wrote. A path that it returns
may lead anywhere, for a test that removes the file when it is done. A statement of SQL runs in the test's own database, and could attach
any other.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sqlite3
import sqlite3.dbapi2
import sys
import tempfile
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

STARTS = ("os.system", "subprocess.Popen", "os.posix_spawn", "os.exec")
# What changes files, and which of its arguments are paths.
CHANGES = {
    "open": (0,),
    "os.remove": (0,),
    "os.rmdir": (0,),
    "os.mkdir": (0,),
    "os.rename": (0, 1),
    "os.truncate": (0,),
    "os.chmod": (0,),
    "os.chown": (0,),
    "os.link": (0, 1),
    "os.symlink": (1,),
    "shutil.rmtree": (0,),
    "shutil.move": (0, 1),
    "sqlite3.connect": (0,),
}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Modules that do all this for who calls them.
HELPERS = frozenset(
    {
        "subprocess",
        "os",
        "io",
        "codecs",
        "pathlib",
        "shutil",
        "tempfile",
        "gzip",
        "bz2",
        "lzma",
        "zipfile",
        "tarfile",
        "sqlite3",
        "contextlib",
        __name__,
    }
)
OPTIONS = {"-c", "-m", "/bin/sh"}


def wants(frame: FrameType | None) -> FrameType | None:
    """Who wants what is done by the code of `frame`."""
    while frame is not None and frame.f_globals.get("__name__") in HELPERS:
        frame = frame.f_back
    return frame


def elsewhere(event: str, arguments: tuple[Any, ...], is_authors: Callable[[str], bool]) -> str:
    """The path outside the test's folders, and none of its author's texts, that is changed according to an audit event; or nothing."""
    if event == "open" and not (isinstance(arguments[2], int) and arguments[2] & WRITES):
        return ""
    for path in (arguments[place] for place in CHANGES[event]):
        if not isinstance(path, (str, bytes, os.PathLike)):
            continue  # an open file by its number
        text = os.fsdecode(path)
        if not _is_inside(text) and text not in (":memory:", "", os.devnull) and not (is_authors(text) and _is_no_link(text)):
            return text
    return ""


def _is_inside(path: str) -> bool:
    return any(
        f"{os.path.realpath(path)}{os.sep}".startswith(f"{os.path.realpath(folder)}{os.sep}") for folder in (os.getcwd(), tempfile.gettempdir())
    )


def _is_no_link(path: str) -> bool:
    return os.path.realpath(path) == os.path.abspath(path)


def is_own(event: str, arguments: tuple[Any, ...], is_authors: Callable[[str], bool]) -> bool:
    """Whether a command that an audit event tells of consists of its author's texts, of options, and of the Python that runs now."""
    words = arguments[0] if event == "os.system" else arguments[1]
    return all(is_authors(word) or word in OPTIONS or word == sys.executable for word in _words(words))


def is_python(event: str, arguments: tuple[Any, ...]) -> bool:
    """Whether it is Python with a text to run, which reads no file by itself."""
    return event == "subprocess.Popen" and list(_words(arguments[1]))[:2] == [sys.executable, "-c"]


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

    for module in (sqlite3, sqlite3.dbapi2):
        vars(module)["connect"] = connect
    try:
        yield
    finally:
        for module in (sqlite3, sqlite3.dbapi2):
            vars(module)["connect"] = before


def _attaches(action: int, place: str | None, *_: Any) -> int:
    if action != sqlite3.SQLITE_ATTACH or place in ("", ":memory:"):
        return sqlite3.SQLITE_OK
    is_inside = place is not None and not place.startswith("file:") and _is_inside(place)
    return sqlite3.SQLITE_OK if is_inside else sqlite3.SQLITE_DENY
