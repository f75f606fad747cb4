"""What came of the instructor's own solution, by a hash of all that it depends on: in this process, and where a caller remembers it for others."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections import OrderedDict
from dataclasses import asdict
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from nbjudge._analysis.instructor import Instructor
from nbjudge._wire.limits import Limits

MOST_KNOWN = 32  # notebooks whose results are kept in a process
Result = TypeVar("Result")  # what JSON holds


class Remembered(Protocol):
    """Texts about one solution by name, which other processes read, too, and later ones. What is not there, or damaged, is None."""

    def read(self, name: str) -> str | None: ...
    def write(self, name: str, text: str) -> None: ...


class SolutionResults(Generic[Result]):
    """Results of one kind, which `kind` names."""

    def __init__(self, kind: str):
        self.kind = kind
        self._known: OrderedDict[str, Result] = OrderedDict()

    def known(self, instructor: Instructor, limits: Limits, remembered: Remembered | None) -> Result | None:
        """What is known already."""
        if not self._known and remembered is None:
            return None
        key = key_of(instructor, limits)
        if key not in self._known and remembered is not None and (text := remembered.read(self._name(instructor))) is not None:
            with contextlib.suppress(ValueError):  # damaged
                self._put(key, json.loads(text))
        return self._known.get(key)

    def keep(self, instructor: Instructor, limits: Limits, remembered: Remembered | None, result: Result) -> None:
        """Keep what came of it."""
        key = key_of(instructor, limits)
        self._put(key, result)
        if remembered is not None:
            remembered.write(self._name(instructor), json.dumps(result))

    def _name(self, instructor: Instructor) -> str:
        return " ".join([self.kind, *sorted(instructor.students_names)])  # more of them where a student has changed other cells

    def _put(self, key: str, result: Result) -> None:
        self._known[key] = result
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)


def key_of(instructor: Instructor, limits: Limits) -> str:
    """What the solution's execution depends on, as one short text."""
    cells = [[cell.cell_type, cell.source, cell.metadata.get("nbgrader")] for cell in instructor.notebook.cells]
    about = [
        cells,
        str(instructor.folder),
        sorted(instructor.beside_students),
        repr(instructor.markers),
        asdict(limits),
        _files(instructor.folder),
        instructor.given,
        sorted(instructor.students_names),
    ]
    return hashlib.sha256(json.dumps(about, default=str).encode()).hexdigest()


def _files(folder: Path | None) -> list[tuple[str, int, int]]:
    """What lies in the instructor's folder, so that a helper that was mended counts."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file()) if folder is not None and folder.is_dir() else []
    return [(str(path.relative_to(folder)), path.stat().st_mtime_ns, path.stat().st_size) for path in paths if folder is not None]
