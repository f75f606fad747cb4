"""Nothing is executed twice: what came of a submission is kept by a hash of all that it depends on, and taken from there the next time.

That is: the student's notebook and files, the instructor's code cells, files and marks, the packages of `c.Execute.packages`, limits, versions, and
the kind of processor. What was said to the student's kernel is kept, too, by all of these but the instructor's cells. Where only they have changed,
the notebook is judged again by that, and no cell runs, as long as the tests ask the kernel for the same: see `nbjudge._execution.transcript`. With
the first question that is another one, the whole notebook is executed: a test may see what the cells and the tests before it have left behind, so
nothing less is certain to give the same.
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
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from nbjudge._analysis.instructor import Instructor, grade_id, only_tests
from nbjudge._common.atomic_write import write_atomically
from nbjudge._course.process_pool import Executing, Job, Key
from nbjudge._execution.execute import Execution
from nbjudge._execution.transcript import Conversation
from nbjudge._sandbox.accounts import Protection
from nbjudge._serialization.executions import pack_execution, pack_instructor, pack_settings, pack_submission, unpack_execution
from nbjudge._serialization.folders import checksum, versions
from nbjudge._wire.errors import CannotJudge, Hindered, Malformed
from nbjudge._wire.limits import MB, Limits

OLD_SECONDS = 180 * 24 * 3600.0  # for which nobody has asked for it
MOST_MB = 4096  # beyond which those that nobody has asked for longest go
SPARED_MB = 512  # of a disk, for what must be written
LARGE = 4096  # bytes from which on a part of a conversation is a file of its own: many right answers give the same array
LEVEL = 1  # of compression: the fastest
SAMPLE, WORTH_IT = 4096, 0.7  # bytes of a part by which it is told whether to compress it
HERE, ELSEWHERE = b"-", b"+"


class ResultStore:
    """Parcels by name, in a folder that may be deleted at any time. What is damaged is not there."""

    def __init__(self, folder: Path):
        self.folder = folder

    def execution(self, name: str) -> Execution | None:
        """An execution that is kept, whole."""
        try:
            return unpack_execution(self._read(name))
        except (OSError, zlib.error, Malformed):
            return None

    def conversation(self, name: str) -> Conversation | None:
        """A conversation that is kept, whole."""
        try:
            return Conversation.from_bytes(self._read(name), self._part)
        except (OSError, zlib.error, Malformed):
            return None

    def keep_execution(self, name: str, execution: Execution) -> None:
        """Keep one, whole or not at all."""
        self._write(name, pack_execution(execution))

    def keep_conversation(self, name: str, conversation: Conversation) -> None:
        """The same of one, with its large parts apart."""
        self._write(name, conversation.to_bytes(self._apart))

    def text(self, name: str) -> str | None:
        """A text that is kept."""
        try:
            return self._read(name).decode()
        except (OSError, zlib.error, UnicodeDecodeError):
            return None

    def keep_text(self, name: str, text: str) -> None:
        """Keep one."""
        self._write(name, text.encode())

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

    def _read(self, name: str) -> bytes:
        path = self._path(name)
        content = zlib.decompress(path.read_bytes())
        with contextlib.suppress(OSError):
            os.utime(path)  # it was asked for
        return content

    def _write(self, name: str, content: bytes, level: int = LEVEL) -> None:
        """Nothing where the disk is needed for more than this."""
        path = self._path(name)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            if shutil.disk_usage(path.parent).free > SPARED_MB * MB:
                write_atomically(path, zlib.compress(content, level))

    def _apart(self, part: bytes) -> bytes:
        """What stands for a part of a conversation: itself, or its checksum, under which it is kept."""
        if len(part) < LARGE:
            return HERE + part
        name = checksum(part)
        try:
            os.utime(self._path(name))
        except OSError:
            self._write(name, part, _level_for(part))
        return ELSEWHERE + name.encode()

    def _part(self, kept: bytes) -> bytes:
        if kept[:1] == HERE:
            return kept[1:]
        part = self._read(kept[1:].decode())
        if checksum(part) != kept[1:].decode():
            raise Malformed("a part of a conversation is another one")
        return part

    def _path(self, name: str) -> Path:
        return self.folder / name[:2] / name[2:]


def _level_for(part: bytes) -> int:
    """How much to compress something large. Of the numbers of most arrays nothing is gained, and it takes longer than to record a submission."""
    sample = part[:SAMPLE]
    return LEVEL if len(zlib.compress(sample, LEVEL)) < WORTH_IT * len(sample) else 0


NOT_CERTAIN = frozenset({"timeout", "ended", "unjudged"})  # verdicts to which a machine may have helped
OF_A_MACHINE = frozenset({"TimeIsUp", "CellTimeout", "ProgramEnded"})  # and errors of cells
AHEAD = 16  # results that are read while workers are busy


class CachedExecutor:
    """What executes, with a store in front of it. A store that cannot be read or written costs time, and nothing else.

    Args:
        executing: what executes where nothing is kept.
        folder: of the store; made when something is kept.
        settings: limits, packages and protection of the course, as `pack_settings` takes them.
        is_read: whether what is kept is used; else it is only replaced.
    """

    def __init__(self, executing: Executing, folder: Path, *settings: *tuple[Limits, tuple[str, ...], Protection], is_read: bool = True):
        self._executing, self._store, self._settings, self._is_read = executing, ResultStore(folder), settings, is_read
        self._lessons: dict[int, _Lesson] = {}  # by the identity of what a job names
        self._found: deque[tuple[Any, Execution]] = deque()

    def prepare(self) -> object:
        """As `Executing.prepare`."""
        return self._executing.prepare()

    def __enter__(self) -> CachedExecutor:
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
                for key, result in self._executing.run(batch):
                    yield from self._take_found()
                    yield key, replace(result, conversation=None) if isinstance(result, Execution) else result  # which is of use here alone
            except Hindered:  # what executes is gone; what is kept is not
                yield from self._take_found()
                raise
            is_over = not self._found and batch.is_empty
            yield from self._take_found()

    def _unknown(self, source: Iterator[Job[Key]]) -> Iterator[Job[Key]]:
        """The jobs of which nothing is kept, until enough others wait to be taken."""
        while len(self._found) < AHEAD and (job := next(source, None)) is not None:
            if job.is_solution:
                yield replace(job, remembered=self._about(job))
                continue
            names = self._names(job)
            if self._is_read and (execution := self._store.execution(names.result)) is not None:
                self._found.append((job.key, execution))
            else:
                before = self._store.conversation(names.conversation) if self._is_read else None
                yield replace(job, before=before, keep=_Keep(self._store, names), remembered=self._about(job))

    def _take_found(self) -> Iterator[tuple[Any, Execution]]:
        while self._found:
            yield self._found.popleft()

    def _lesson(self, job: Job[Any]) -> _Lesson:
        if id(job.source) not in self._lessons:
            instructor = job.source if isinstance(job.source, Instructor) else only_tests(job.source)
            name = checksum(pack_instructor(replace(instructor, notebook=_code_of(instructor.notebook))))
            given = checksum(pack_instructor(Instructor(NotebookNode(cells=[]), given=instructor.given)))
            self._lessons[id(job.source)] = _Lesson(job.source, instructor, name, given)
        return self._lessons[id(job.source)]

    def _about(self, job: Job[Any]) -> AboutSolution:
        return AboutSolution(self._store, self._hash(self._lesson(job).name), self._is_read)

    def _names(self, job: Job[Any]) -> _Names:
        """The hashes of all that the result depends on, and of all that what is said in the kernel depends on, beside what it is asked."""
        lesson = self._lesson(job)
        theirs = lesson.instructor.given or ()
        submission = checksum(pack_submission(job.notebook, job.files, theirs))
        work = checksum(pack_submission(_work_of(job.notebook, lesson.instructor), job.files, theirs))
        return _Names(self._hash(lesson.name, submission), self._hash(lesson.given, work))

    @cached_property
    def _base(self) -> str:
        """What every result depends on. It takes long to read, so only what is executed waits for it."""
        about, settings = pack_settings(*self._settings)
        installed = [f"{name} {version}" for name, version in versions(about.installed).items()]
        return "\n".join([checksum(settings), platform.machine(), *installed])

    def _hash(self, *parts: str) -> str:
        return checksum("\n".join([self._base, *parts]).encode())


@dataclass(frozen=True)
class _Lesson:
    """An instructor's notebook, as a job named it, the hash of what of it decides, and that of the files that it gives to students."""

    named: object  # kept so that its identity stays its own
    instructor: Instructor
    name: str
    given: str


@dataclass(frozen=True)
class _Names:
    """Under which what came of a submission is kept."""

    result: str
    conversation: str


@dataclass(frozen=True)
class _Keep:
    """Keeps what came of a submission, in the process that executed it: to write what was said takes longer than to record points."""

    store: ResultStore
    names: _Names

    def __call__(self, execution: Execution) -> Execution:
        """The same, with nothing of what was said."""
        if is_certain(execution):
            self.store.keep_execution(self.names.result, replace(execution, conversation=None))
            if execution.conversation is not None:
                self.store.keep_conversation(self.names.conversation, execution.conversation)
        return execution if execution.conversation is None else replace(execution, conversation=Conversation())


@dataclass(frozen=True)
class AboutSolution:
    """What workers learn of one solution, for one another: see `nbjudge._execution.solution_results.Remembered`. `lesson` is the hash of it."""

    store: ResultStore
    lesson: str
    is_read: bool

    def read(self, name: str) -> str | None:
        return self.store.text(self._name(name)) if self.is_read else None

    def write(self, name: str, text: str) -> None:
        self.store.keep_text(self._name(name), text)

    def _name(self, name: str) -> str:
        return checksum(f"{self.lesson}\n{name}".encode())


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


def is_certain(execution: Execution) -> bool:
    """Whether the same would come of it on any other day: no time was up, and no process ended."""
    names = {output.get("ename") for cell in execution.notebook.cells for output in cell.get("outputs", ()) if output.get("output_type") == "error"}
    uncertain = any(verdict.kind in NOT_CERTAIN for verdict in execution.verdicts)
    return not (execution.hindered or execution.cut_short or names & OF_A_MACHINE or uncertain)


def _code_of(notebook: NotebookNode) -> NotebookNode:
    """What of an instructor's notebook decides a verdict: no text, no output, and no id that a program gave a cell."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    about = [{name: cell.metadata[name] for name in ("nbgrader", "tags") if name in cell.metadata} for cell in cells]
    return NotebookNode(cells=[{"cell_type": cell.cell_type, "source": cell.source, "metadata": known} for cell, known in zip(cells, about)])


def _work_of(notebook: NotebookNode, instructor: Instructor) -> NotebookNode:
    """What of a submitted notebook runs in the student's kernel. The places of its tests are told by what is said there."""
    tests = instructor.tests
    return NotebookNode(cells=[cell.source for cell in notebook.cells if cell.cell_type == "code" and grade_id(cell) not in tests])
