"""Libraries that would run, or believe, a text of a student's: pickles, YAML, programs, files and databases."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import pickle
import sqlite3
import sqlite3.dbapi2
import sys
import tempfile
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, BinaryIO, ClassVar

import numpy as np

InPython: Any = pickle._Unpickler  # the one in C cannot be looked into


class Careful(InPython):
    """Makes only types of arrays that numpy makes, too."""

    dispatch: ClassVar[dict[int, Any]] = dict(InPython.dispatch)

    def load_build(self) -> None:
        """What a pickle says of an object after it is made. Raises `UnpicklingError`."""
        made, state = self.stack[-2:]
        super().load_build()
        if isinstance(made, np.dtype) and made.__reduce__() != _checked(made, state).__reduce__():
            raise pickle.UnpicklingError("a type of arrays that is not what it says")

    dispatch[pickle.BUILD[0]] = load_build


def _checked(made: np.dtype, state: Any) -> np.dtype:
    """The type as numpy makes it, which looks whether its fields fit. Raises `ValueError` and `TypeError`."""
    if state[3] is None:
        return np.dtype(made.str)
    names, fields = state[3], state[4]
    return np.dtype(
        {"names": list(names), "formats": [fields[name][0] for name in names], "offsets": [fields[name][1] for name in names], "itemsize": state[5]}
    )


def _load(file: BinaryIO, **options: Any) -> Any:
    return Careful(file, **options).load()


def _loads(data: Any, /, **options: Any) -> Any:
    if isinstance(data, str):
        raise TypeError("Can't load pickle from unicode string")
    return _load(io.BytesIO(data), **options)


@contextlib.contextmanager
def careful() -> Iterator[None]:
    """Have `pickle.load`, `pickle.loads`, `pickle.Unpickler` and the loaders of YAML, where it is loaded, do so meanwhile."""
    ours: dict[str, Any] = {"load": _load, "loads": _loads, "Unpickler": Careful}
    before = {name: getattr(pickle, name) for name in ours}
    for name, own in ours.items():
        setattr(pickle, name, own)
    unsafe = getattr(sys.modules.get("yaml.constructor"), "UnsafeConstructor", None)
    finders = {name: vars(unsafe)[name] for name in ("find_python_name", "find_python_module")} if unsafe else {}
    for name in finders:
        setattr(unsafe, name, _refuse)
    try:
        yield
    finally:
        for name, theirs in before.items():
            setattr(pickle, name, theirs)
        for name, finder in finders.items():
            setattr(unsafe, name, finder)


def _refuse(_: Any, name: str, mark: Any) -> Any:
    raise sys.modules["yaml.constructor"].ConstructorError(None, None, f"it names {name[:100]} of Python's, and not a plain value", mark)


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
