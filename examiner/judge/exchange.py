"""Files of a test and of the student's functions, each side's brought to the other: for test cells whose text does something with files.

What a test writes goes into the student's kernel, under the same name. What the student's code writes comes back as bytes, and never in
the place of a file that the instructor gave or the test wrote (unless it was passed to a function that writes in the solution, too). No
file of theirs is one that Python imports, and none is unpickled: a test that does that cannot be judged.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from examiner.wire.codec import Encoder
from examiner.wire.errors import Refused

FILE_WORDS = frozenset({"open", "Path", "exists", "isfile", "read_text", "read_bytes", "write_text", "write_bytes", "listdir", "glob",
                        "read_csv", "to_csv", "read_json", "to_json", "read_excel", "tempfile", "loadtxt", "savetxt", "genfromtxt", "getsize",
                        "makedirs", "mkdir", "remove", "unlink", "rmtree", "imread", "load", "save", "savefig", "connect"})
NOT_TAKEN = (".py", ".pyc", ".pyo", ".pyi", ".pyd", ".so", ".pth", ".zip", ".egg", ".whl", ".ipynb", ".pkl", ".pickle", ".joblib")
MOST_FILES = 200
NOT_BROUGHT = "it reads `{name}`, a kind of file that is not brought from a student's kernel, because it could run code: use text, JSON or arrays"


class Exchange:
    """The files of one notebook's tests. `folder` is where the tests work."""

    def __init__(self, folder: Path = Path()):
        self._root, self._temporary = str(folder), ""
        self._own: dict[str, tuple[int, int] | None] = {}  # as the kernel has them
        self._given: dict[str, tuple[int, int] | None] = {}
        self._theirs: dict[str, tuple[int, int] | None] = {}  # written by the student's code, and last seen like this
        self._passed: set[str] = set()  # places that the test let the student's code write to
        self._generation = -1
        self.is_on = False

    def begin(self) -> None:
        """From this test on files are exchanged."""
        if not self.is_on:
            self._temporary = tempfile.mkdtemp(prefix="examiner-files-", dir="/tmp")
            self._given = self._scan()
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
        for place, about in now.items():
            if place not in self._own or self._own[place] != about:
                with contextlib.suppress(OSError, Refused):
                    put.append([place, None if about is None else encoder.encode(Path(place).read_bytes())])
        remove = [place for place in self._own if place not in now]
        self._own = now
        return {"files": {"root": self._root, "temporary": self._temporary, "put": put, "remove": remove}}

    def take(self, document: dict[str, Any], decode: Callable[[Any], Any]) -> None:
        """Write what the student's code has written, remove what it has removed."""
        if not self.is_on:
            return
        files, gone = document.get("files"), document.get("gone")
        for pair in (files if isinstance(files, list) else [])[:MOST_FILES]:
            if isinstance(pair, list) and len(pair) == 2 and self._may_write(pair[0]):
                content = decode(pair[1])
                if type(content) is bytes:
                    with contextlib.suppress(OSError, ValueError):
                        self._write(pair[0], content)
        for place in (gone if isinstance(gone, list) else [])[:MOST_FILES]:
            if type(place) is str and (place in self._theirs or (place in self._passed and place not in self._given)):
                with contextlib.suppress(OSError, ValueError):
                    os.remove(place)
                    self._own.pop(place, None)
                    self._theirs.pop(place, None)

    def _may_write(self, place: Any) -> bool:
        if type(place) is not str or len(place) > 1000 or not place.isprintable() or os.path.normpath(place) != place:
            return False
        if not place.startswith((f"{self._root}{os.sep}", f"{self._temporary}{os.sep}")) or place.lower().endswith(NOT_TAKEN):
            return False
        if place in self._given or os.path.islink(place):
            return False
        if not os.path.lexists(place):
            return True
        return os.path.isfile(place) and (place in self._theirs or place in self._passed)

    def _write(self, place: str, content: bytes) -> None:
        folder = os.path.dirname(place)
        os.makedirs(folder, exist_ok=True)
        if os.path.realpath(folder) != folder:
            return
        with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "wb") as file:
            file.write(content)
        about = os.stat(place)
        self._own[place] = self._theirs[place] = (about.st_mtime_ns, about.st_size)
        while folder not in self._own and folder not in (self._root, self._temporary):
            self._own[folder] = None
            folder = os.path.dirname(folder)

    def _scan(self) -> dict[str, tuple[int, int] | None]:
        """All files and folders of the test's side."""
        found: dict[str, tuple[int, int] | None] = {}
        for root in (self._root, *([self._temporary] if self._temporary else ())):
            for where, folders, names in os.walk(root):
                folders[:] = [name for name in folders if name != "__pycache__"]
                found |= {os.path.join(where, name): None for name in folders}
                for name in names:
                    with contextlib.suppress(OSError):
                        about = os.stat(place := os.path.join(where, name))
                        found[place] = (about.st_mtime_ns, about.st_size)
        return found
