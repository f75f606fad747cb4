"""Files of a test and of the student's functions, each side's brought to the other: for test cells whose text does something with files.

What a test writes goes into the student's kernel, under the same name. What the student's code writes comes back as bytes, and never in
the place of a file that the instructor gave or the test wrote (unless it was passed to a function that writes in the solution, too). No
file of theirs is one that Python imports or that sets up a program. What a test may unpickle, `nbjudge._execution.guard` says. The
instructor's set-up cells run without them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from nbjudge._student.files import LARGEST, MOST_FILES
from nbjudge._wire.codec import Encoder
from nbjudge._wire.errors import Refused
from nbjudge._wire.file_stamps import FileStamp, is_unchanged, stamp_of
from nbjudge._wire.limits import MB

NOT_TAKEN = (
    ".py",
    ".pyc",
    ".pyo",
    ".pyi",
    ".pyd",
    ".so",
    ".pth",
    ".zip",
    ".egg",
    ".whl",
    ".ipynb",
    ".pkl",
    ".pickle",
    ".joblib",
    "matplotlibrc",
    "pytest.ini",
    "tox.ini",
    "setup.cfg",
)
MOST_PLACES, MOST_BYTES, DEEPEST = 1000, 256 * MB, 20  # of a student's files together; the folders that they are in are places, too
NOT_BROUGHT = "it reads `{name}`, a kind of file that is not brought from a student's kernel, because it could run code: use text, JSON or arrays"


class Exchange:
    """The files of one notebook's tests. `folder` is where the tests work."""

    def __init__(self, folder: Path = Path()):
        self._root, self._temporary = str(folder), ""
        self._own: dict[str, FileStamp | None] = {}  # as the kernel has them; None for a folder
        self._given: dict[str, FileStamp | None] = {}
        self._theirs: dict[str, FileStamp] = {}  # written by the student's code, which left them like this
        self._folders: set[str] = set()  # made for those
        self._passed: set[str] = set()  # places that the test let the student's code write to
        self._generation = -1
        self.is_on = False

    def begin(self) -> None:
        """From this test on files are exchanged."""
        if not self.is_on:
            self._temporary = tempfile.mkdtemp(prefix="nbjudge-files-", dir="/tmp")
            self._given = {place: None if is_folder else stamp_of(place) for place, is_folder in self._scan().items()}
            self.is_on = True

    def close(self) -> None:
        """Nothing stays behind."""
        if self._temporary:
            shutil.rmtree(self._temporary, ignore_errors=True)

    @property
    def has_students(self) -> bool:
        """Whether a file that the student's code wrote is where the tests work."""
        return bool(self._theirs)

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """Temporary files of a test are among what is exchanged."""
        if not self.is_on:
            yield
            return
        before, tempfile.tempdir = tempfile.tempdir, self._temporary
        try:
            yield
        finally:
            tempfile.tempdir = before

    def passes(self, label: str, values: list[Any], writers: frozenset[str]) -> None:
        """A call of the test: what it names may be written to, where the solution's function writes."""
        if self.is_on and f"{label.strip('`')} writes" in writers:
            for value in values:
                if isinstance(value, (str, os.PathLike)):
                    with contextlib.suppress(Exception):
                        self._passed.add(os.path.abspath(os.fspath(value)))

    def additions(self, encoder: Encoder, generation: int) -> dict[str, Any]:
        """What goes with a request."""
        if not self.is_on:
            return {}
        if generation != self._generation:
            self._own, self._generation = dict(self._given), generation
        now = self._scan()
        put: list[Any] = []
        for place, is_folder in now.items():
            with contextlib.suppress(OSError, Refused):
                if place in self._own and (is_folder if (known := self._own[place]) is None else not is_folder and is_unchanged(place, known)):
                    continue
                self._own[place] = None if is_folder else stamp_of(place)
                put.append([place, None if is_folder else encoder.encode(Path(place).read_bytes())])
        remove = [place for place in self._own if place not in now]
        for place in remove:
            del self._own[place]
        return {"files": {"root": self._root, "temporary": self._temporary, "put": put, "remove": remove}}

    def take(self, document: dict[str, Any], decode: Callable[[Any], Any]) -> None:
        """Write what the student's code has written, remove what it has removed."""
        if not self.is_on:
            return
        files, gone = document.get("files"), document.get("gone")
        for pair in (files if isinstance(files, list) else [])[:MOST_FILES]:
            if isinstance(pair, list) and len(pair) == 2 and self._may_write(pair[0]):
                content = decode(pair[1])
                if type(content) is bytes and self._has_room(pair[0], len(content)):
                    with contextlib.suppress(OSError, ValueError):
                        self._write(pair[0], content)
        for place in (gone if isinstance(gone, list) else [])[:MOST_FILES]:
            if self._may_write(place) and os.path.isfile(place):
                with contextlib.suppress(OSError, ValueError):
                    os.remove(place)
                    self._own.pop(place, None)
                    self._theirs.pop(place, None)

    @contextlib.contextmanager
    def without_students(self) -> Iterator[None]:
        """Nothing that the student's code has written is there meanwhile. What is made in its place stays there."""
        hidden = [place for place in self._theirs if place.startswith(f"{self._root}{os.sep}") and self._is_theirs(place)]
        if not (hidden or self._folders):
            yield
            return
        aside = tempfile.mkdtemp(prefix="nbjudge-aside-", dir=os.path.dirname(self._root))
        for number, place in enumerate(hidden):
            os.rename(place, os.path.join(aside, str(number)))
        for folder in sorted(self._folders, reverse=True):
            with contextlib.suppress(OSError):  # what a test has put there stays
                os.rmdir(folder)
        try:
            yield
        finally:
            for number, place in enumerate(hidden):
                with contextlib.suppress(OSError):
                    if os.path.lexists(place):
                        del self._theirs[place]
                        continue
                    os.makedirs(os.path.dirname(place), exist_ok=True)
                    os.rename(os.path.join(aside, str(number)), place)
            shutil.rmtree(aside, ignore_errors=True)

    def _may_write(self, place: Any) -> bool:
        """Whether the student's code may write or remove what is at this place, if there is anything."""
        if type(place) is not str or len(place) > 1000 or not place.isprintable() or os.path.normpath(place) != place:
            return False
        roots = [root for root in (self._root, self._temporary) if place.startswith(f"{root}{os.sep}")]
        if not roots or place in self._given or os.path.islink(place) or place.lower().endswith(NOT_TAKEN):
            return False
        parts = place.removeprefix(roots[0]).split(os.sep)[1:]
        if len(parts) > DEEPEST or any(part.startswith(".") for part in parts):
            return False
        return not os.path.lexists(place) or (os.path.isfile(place) and (self._is_theirs(place) or place in self._passed))

    def _is_theirs(self, place: str) -> bool:
        """Whether the student's code has written the file, and nobody since."""
        with contextlib.suppress(OSError):
            return place in self._theirs and is_unchanged(place, self._theirs[place])
        return False

    def _has_room(self, place: str, size: int) -> bool:
        others = [look.size for other, look in self._theirs.items() if other != place]
        return size <= LARGEST and sum(others) + size <= MOST_BYTES and len(others) + len(self._folders) + DEEPEST <= MOST_PLACES

    def _write(self, place: str, content: bytes) -> None:
        folder = os.path.dirname(place)
        if os.path.realpath(folder) != folder:
            return
        while not os.path.lexists(folder):
            self._folders.add(folder)
            folder = os.path.dirname(folder)
        os.makedirs(folder := os.path.dirname(place), exist_ok=True)
        with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "wb") as file:
            file.write(content)
        self._own[place] = self._theirs[place] = stamp_of(place)
        while folder not in self._own and folder not in (self._root, self._temporary):
            self._own[folder] = None
            folder = os.path.dirname(folder)

    def _scan(self) -> dict[str, bool]:
        """All files and folders of the test's side, with whether it is a folder. What is neither, such as a pipe, is left out."""
        found: dict[str, bool] = {}
        for root in (self._root, *([self._temporary] if self._temporary else ())):
            for where, folders, names in os.walk(root):
                folders[:] = [name for name in folders if name != "__pycache__"]
                found |= {os.path.join(where, name): True for name in folders}
                for name in names:
                    with contextlib.suppress(OSError):
                        if stat.S_ISREG(os.stat(place := os.path.join(where, name)).st_mode):
                            found[place] = False
        return found
