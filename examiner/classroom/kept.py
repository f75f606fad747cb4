"""Nothing is executed twice: what came of a submission is kept by a hash of all that it depends on, and taken from there the next time.

That is: the student's notebook and files, the instructor's code cells, files and marks, the packages of `c.Execute.packages`, limits, versions, and
the kind of processor. Whatever of it changes, even one letter of one test, the whole notebook is executed again: a test may see what the cells and
the tests before it have left behind, so nothing less is certain to give the same.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import time
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from examiner.classroom.engines import Executing
from examiner.classroom.pool import Job, Key
from examiner.classroom.whole import write_whole
from examiner.judge.execute import Execution
from examiner.judge.instructor import Instructor, only_tests
from examiner.parcels.execution import Settings, pack_execution, pack_instructor, pack_submission, unpack_execution
from examiner.parcels.folders import checksum
from examiner.parcels.versions import versions
from examiner.wire.errors import CannotJudge, Hindered, Malformed
from examiner.wire.limits import MB

NOT_CERTAIN = frozenset({"timeout", "ended", "unjudged"})  # verdicts to which a machine may have helped
OF_A_MACHINE = frozenset({"TimeIsUp", "CellTimeout", "ProgramEnded"})  # and errors of cells
AHEAD = 16  # results that are read while workers are busy
OLD_SECONDS = 180 * 24 * 3600.0  # for which nobody has asked for it
MOST_MB = 2048  # beyond which those that nobody has asked for longest go
SPARED_MB = 512  # of a disk, for what must be written
LEVEL = 1  # of compression: the fastest


class Kept:
    """What executes, with a store in front of it. A store that cannot be read or written costs time, and nothing else.

    Args:
        executing: what executes where nothing is kept.
        folder: of the store; made when something is kept.
        settings: the parcel of the course's settings.
        about: the same settings.
    """

    def __init__(self, executing: Executing, folder: Path, about: Settings, settings: bytes):
        self._executing, self._store = executing, Store(folder)
        installed = [f"{name} {version}" for name, version in versions(about.installed).items()]
        self._base = "\n".join([checksum(settings), platform.machine(), *installed])
        self._lessons: dict[int, tuple[object, Instructor, str]] = {}  # by the identity of what a job names, which is kept so that it stays its own
        self._found: deque[tuple[Any, Execution]] = deque()

    def prepare(self) -> object:
        """As `Executing.prepare`."""
        return self._executing.prepare()

    def __enter__(self) -> Kept:
        self._executing.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._executing.__exit__(*error)
        self._store.tidy()

    def run(self, jobs: Iterable[Job[Key]]) -> Iterator[tuple[Key, Execution | CannotJudge]]:
        """As `Pool.run`; what is kept comes at once."""
        source, is_over = iter(jobs), False
        while not is_over:
            batch = _Batch(self._unknown(source))
            try:
                for (key, name), result in self._executing.run(batch):
                    yield from self._take_found()
                    if isinstance(result, Execution) and is_certain(result):
                        self._store.write(name, pack_execution(result))
                    yield key, result
            except Hindered:  # what executes is gone; what is kept is not
                yield from self._take_found()
                raise
            is_over = not self._found and batch.is_empty
            yield from self._take_found()

    def _unknown(self, source: Iterator[Job[Key]]) -> Iterator[Job[tuple[Key, str]]]:
        """The jobs of which nothing is kept, until enough others wait to be taken."""
        while len(self._found) < AHEAD and (job := next(source, None)) is not None:
            name = self._name(job)
            if (execution := self._store.read(name)) is not None:
                self._found.append((job.key, execution))
            else:
                yield Job((job.key, name), job.notebook, job.source, job.files)

    def _take_found(self) -> Iterator[tuple[Any, Execution]]:
        while self._found:
            yield self._found.popleft()

    def _name(self, job: Job[Any]) -> str:
        """The hash of all that the result depends on."""
        if id(job.source) not in self._lessons:
            instructor = job.source if isinstance(job.source, Instructor) else only_tests(job.source)
            lesson = checksum(pack_instructor(replace(instructor, notebook=_code_of(instructor.notebook))))
            self._lessons[id(job.source)] = job.source, instructor, lesson
        _, instructor, lesson = self._lessons[id(job.source)]
        submission = checksum(pack_submission(job.notebook, job.files, instructor.given or ()))
        return checksum("\n".join([self._base, lesson, submission]).encode())


class _Batch:
    """Jobs for one run of what executes. `is_empty`: there was none."""

    def __init__(self, jobs: Iterator[Any]):
        self._jobs, self.is_empty = jobs, True

    def __iter__(self) -> _Batch:
        return self

    def __next__(self) -> Any:
        job = next(self._jobs)
        self.is_empty = False
        return job


class Store:
    """Parcels by name, in a folder that may be deleted at any time. What is damaged is not there."""

    def __init__(self, folder: Path):
        self.folder = folder

    def read(self, name: str) -> Execution | None:
        """An execution that is kept, whole."""
        path = self._path(name)
        try:
            execution = unpack_execution(zlib.decompress(path.read_bytes()))
        except (OSError, zlib.error, Malformed):
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # it was asked for
        return execution

    def write(self, name: str, parcel: bytes) -> None:
        """Keep one, whole or not at all; nothing where the disk is needed for more than this."""
        path = self._path(name)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            if shutil.disk_usage(path.parent).free > SPARED_MB * MB:
                write_whole(path, zlib.compress(parcel, LEVEL))

    def tidy(self) -> None:
        """Remove what nobody has asked for in a long time, and what is too much."""
        found = []
        for path in self.folder.glob("*/*"):
            with contextlib.suppress(OSError):
                about = path.stat()
                found.append((about.st_mtime, about.st_size, path))
        room = MOST_MB * MB
        for asked, size, path in sorted(found, reverse=True):
            room -= size
            if room < 0 or asked < time.time() - OLD_SECONDS:
                with contextlib.suppress(OSError):
                    path.unlink()

    def forget(self) -> None:
        """Remove everything."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _path(self, name: str) -> Path:
        return self.folder / name[:2] / name[2:]


def is_certain(execution: Execution) -> bool:
    """Whether the same would come of it on any other day: no time was up, and no process ended."""
    names = {output.get("ename") for cell in execution.notebook.cells for output in cell.get("outputs", ()) if output.get("output_type") == "error"}
    return not (execution.hindered or names & OF_A_MACHINE or any(verdict.kind in NOT_CERTAIN for verdict in execution.verdicts))


def _code_of(notebook: NotebookNode) -> NotebookNode:
    """What of an instructor's notebook decides a verdict: no text, no output, and no id that a program gave a cell."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    about = [{name: cell.metadata[name] for name in ("nbgrader", "tags") if name in cell.metadata} for cell in cells]
    return NotebookNode(cells=[{"cell_type": cell.cell_type, "source": cell.source, "metadata": known} for cell, known in zip(cells, about)])
