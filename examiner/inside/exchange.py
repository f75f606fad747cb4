"""Files that a test and the student's functions hand to each other: what has changed in the working folder, and what a test writes there."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from typing import Any

from examiner.wire.codec import Decoder, Encoder
from examiner.wire.errors import Refused
from examiner.wire.limits import MB
from examiner.wire.requests import Reply

MOST_FILES, LARGEST = 200, 8 * MB

_known: dict[str, tuple[int, int]] = {}  # files as both sides have them
_began: list[Any] = [".", 0]  # the working folder, and when the notebook's cells began


def begin() -> None:
    """The notebook's cells begin: what is in the working folder now was there before them."""
    _began[:] = [os.getcwd(), time.time_ns()]
    _known.update(_files(os.getcwd()))


def take_over(request: dict[str, Any], decoder: Decoder) -> None:
    """Write and remove what the test has written and removed. Its own folder has the name here that it has there."""
    root, temporary = request["root"], request["temporary"]
    if not os.path.lexists(root):
        os.symlink(_began[0], root)
    os.makedirs(temporary, exist_ok=True)
    for place, content in request["put"]:
        with contextlib.suppress(OSError):  # the student's code may have put anything there
            _put(place, content, decoder)
    for place in request["remove"]:
        _known.pop(_real(place), None)
        with contextlib.suppress(OSError):
            shutil.rmtree(place) if os.path.isdir(place) else os.remove(place)


def _put(place: str, content: Any, decoder: Decoder) -> None:
    if content is None:
        os.makedirs(place, exist_ok=True)
        return
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "wb") as file:
        file.write(decoder.decode(content))
    about = os.stat(place)
    _known[_real(place)] = (about.st_mtime_ns, about.st_size)


def news(request: dict[str, Any], encoder: Encoder) -> Reply:
    """Files that are new or changed since they were told last, and those that are gone."""
    found: list[Any] = []
    now: dict[str, tuple[int, int]] = {}
    for folder, name in ((_began[0], request["root"]), (request["temporary"], request["temporary"])):
        for place, about in _files(folder).items():
            now[place] = about
            if _known.get(place) == about or about[1] > LARGEST or len(found) == MOST_FILES:
                continue
            with contextlib.suppress(OSError, Refused), open(place, "rb") as file:
                found.append([os.path.join(name, os.path.relpath(place, folder)), encoder.encode(file.read(LARGEST))])
                _known[place] = about
    gone = [place for place in _known if place not in now]
    for place in gone:
        del _known[place]
    return {"files": found, "gone": [os.path.join(request["root"], os.path.relpath(place, _began[0])) for place in gone]}


def _real(place: str) -> str:
    return os.path.join(os.path.realpath(os.path.dirname(place)), os.path.basename(place))


def _files(folder: str) -> dict[str, tuple[int, int]]:
    """Plain files below a folder with time and size; no hidden ones."""
    found: dict[str, tuple[int, int]] = {}
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "__pycache__"]
        for name in names:
            if len(found) < 10 * MOST_FILES and not name.startswith(".") and not os.path.islink(place := os.path.join(where, name)):
                with contextlib.suppress(OSError):
                    about = os.stat(place)
                    found[place] = (about.st_mtime_ns, about.st_size)
    return found
