"""Files that a test and the student's functions hand to each other: what has changed in the working folder, and what a test writes there."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from typing import Any

from nbjudge._wire.codec import Decoder, Encoder
from nbjudge._wire.errors import Refused
from nbjudge._wire.file_stamps import FileStamp, is_unchanged, stamp_of
from nbjudge._wire.limits import MB
from nbjudge._wire.requests import Reply

MOST_FILES, LARGEST = 200, 8 * MB

_known: dict[str, FileStamp] = {}  # files as both sides have them
_began: list[str] = ["."]  # the working folder


def begin() -> None:
    """The notebook's cells begin: what is in the working folder now was there before them."""
    _began[:] = [os.getcwd()]
    for place in _files(os.getcwd()):
        with contextlib.suppress(OSError):
            _known[place] = stamp_of(place)


def take_over(request: dict[str, Any], decoder: Decoder) -> None:
    """Write and remove what the test has written and removed. Its own folder has the name here that it has there."""
    root, temporary = request["root"], request["temporary"]
    with contextlib.suppress(OSError):  # without namespaces /tmp is not this kernel's: files in the working folder come all the same
        if not os.path.lexists(root):
            os.symlink(_began[0], root)
        os.makedirs(temporary, exist_ok=True)
    for place, content in request["put"]:
        with contextlib.suppress(OSError):  # the student's code may have put anything there
            _put(_here(place, root), content, decoder)
    for place in (_here(place, root) for place in request["remove"]):
        _known.pop(_real(place), None)
        with contextlib.suppress(OSError):
            shutil.rmtree(place) if os.path.isdir(place) else os.remove(place)


def _here(place: str, root: str) -> str:
    """A place of the test's in this kernel's own working folder, if it is in the test's."""
    return os.path.join(_began[0], os.path.relpath(place, root)) if place.startswith(f"{root}{os.sep}") else place


def _put(place: str, content: Any, decoder: Decoder) -> None:
    if content is None:
        os.makedirs(place, exist_ok=True)
        return
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "wb") as file:
        file.write(decoder.decode(content))
    _known[_real(place)] = stamp_of(place)


def news(request: dict[str, Any], encoder: Encoder) -> Reply:
    """Files that are new or changed since they were told last, and those that are gone."""
    found: list[Any] = []
    for folder in (_began[0], request["temporary"]):
        for place in _files(folder):
            with contextlib.suppress(OSError, Refused):
                if (place in _known and is_unchanged(place, _known[place])) or os.path.getsize(place) > LARGEST or len(found) == MOST_FILES:
                    continue
                look = stamp_of(place)
                with open(place, "rb") as file:
                    found.append([_name(place, request), encoder.encode(file.read(LARGEST))])
                _known[place] = look
    gone = [place for place in _known if not os.path.lexists(place)]
    for place in gone:
        del _known[place]
    return {"files": found, "gone": [_name(place, request) for place in gone]}


def _name(place: str, request: dict[str, Any]) -> str:
    """How the test calls this place."""
    if place.startswith(f"{request['temporary']}{os.sep}"):
        return place
    return os.path.join(request["root"], os.path.relpath(place, _began[0]))


def _real(place: str) -> str:
    return os.path.join(os.path.realpath(os.path.dirname(place)), os.path.basename(place))


def _files(folder: str) -> list[str]:
    """Plain files below a folder; no hidden ones."""
    found: list[str] = []
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "__pycache__"]
        for name in names:
            place = os.path.join(where, name)
            if len(found) < 10 * MOST_FILES and not name.startswith("."):
                with contextlib.suppress(OSError):
                    if stat.S_ISREG(os.lstat(place).st_mode):
                        found.append(place)
    return found
