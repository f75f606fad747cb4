"""Nothing is executed twice: what came of a submission is kept by a hash of all that it depends on, and taken from there the next time.

That is: the student's notebook and files, the instructor's code cells, files and marks, the packages of `c.Execute.packages`, limits, versions, and
the kind of processor. What was said to the student's kernel is kept, too, by all of these but the instructor's cells. Where only they have changed,
the notebook is judged again by that, and no cell runs, as long as the tests ask the kernel for the same: see `examiner.judge.conversation`. With
the first question that is another one, the whole notebook is executed: a test may see what the cells and the tests before it have left behind, so
nothing less is certain to give the same.
"""

from __future__ import annotations

import platform
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from examiner.classroom.engines import Executing
from examiner.classroom.pool import Job, Key
from examiner.classroom.store import Store
from examiner.judge.execute import Execution
from examiner.judge.instructor import Instructor, grade_id, only_tests
from examiner.parcels.execution import Settings, pack_instructor, pack_submission
from examiner.parcels.folders import checksum
from examiner.parcels.versions import versions
from examiner.wire.errors import CannotJudge, Hindered

NOT_CERTAIN = frozenset({"timeout", "ended", "unjudged"})  # verdicts to which a machine may have helped
OF_A_MACHINE = frozenset({"TimeIsUp", "CellTimeout", "ProgramEnded"})  # and errors of cells
AHEAD = 16  # results that are read while workers are busy


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
        self._lessons: dict[int, _Lesson] = {}  # by the identity of what a job names
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
                for (key, names), result in self._executing.run(batch):
                    yield from self._take_found()
                    yield key, self._keep(names, result) if isinstance(result, Execution) else result
            except Hindered:  # what executes is gone; what is kept is not
                yield from self._take_found()
                raise
            is_over = not self._found and batch.is_empty
            yield from self._take_found()

    def _keep(self, names: _Names, result: Execution) -> Execution:
        """Without the conversation, which is of use here alone."""
        execution = replace(result, conversation=None)
        if is_certain(result):
            self._store.keep_execution(names.result, execution)
            if result.conversation is not None:
                self._store.keep_conversation(names.conversation, result.conversation)
        return execution

    def _unknown(self, source: Iterator[Job[Key]]) -> Iterator[Job[tuple[Key, _Names]]]:
        """The jobs of which nothing is kept, until enough others wait to be taken."""
        while len(self._found) < AHEAD and (job := next(source, None)) is not None:
            names = self._names(job)
            if (execution := self._store.execution(names.result)) is not None:
                self._found.append((job.key, execution))
            else:
                before = self._store.conversation(names.conversation)
                yield Job((job.key, names), job.notebook, job.source, job.files, before)

    def _take_found(self) -> Iterator[tuple[Any, Execution]]:
        while self._found:
            yield self._found.popleft()

    def _names(self, job: Job[Any]) -> _Names:
        """The hashes of all that the result depends on, and of all that what is said in the kernel depends on, beside what it is asked."""
        if id(job.source) not in self._lessons:
            instructor = job.source if isinstance(job.source, Instructor) else only_tests(job.source)
            name = checksum(pack_instructor(replace(instructor, notebook=_code_of(instructor.notebook))))
            given = checksum(pack_instructor(Instructor(NotebookNode(cells=[]), given=instructor.given)))
            self._lessons[id(job.source)] = _Lesson(job.source, instructor, name, given)
        lesson = self._lessons[id(job.source)]
        theirs = lesson.instructor.given or ()
        submission = checksum(pack_submission(job.notebook, job.files, theirs))
        work = checksum(pack_submission(_work_of(job.notebook, lesson.instructor), job.files, theirs))
        return _Names(self._hash(lesson.name, submission), self._hash(lesson.given, work))

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
    return not (execution.hindered or names & OF_A_MACHINE or any(verdict.kind in NOT_CERTAIN for verdict in execution.verdicts))


def _code_of(notebook: NotebookNode) -> NotebookNode:
    """What of an instructor's notebook decides a verdict: no text, no output, and no id that a program gave a cell."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    about = [{name: cell.metadata[name] for name in ("nbgrader", "tags") if name in cell.metadata} for cell in cells]
    return NotebookNode(cells=[{"cell_type": cell.cell_type, "source": cell.source, "metadata": known} for cell, known in zip(cells, about)])


def _work_of(notebook: NotebookNode, instructor: Instructor) -> NotebookNode:
    """What of a submitted notebook runs in the student's kernel. The places of its tests are told by what is said there."""
    tests = instructor.tests
    return NotebookNode(cells=[cell.source for cell in notebook.cells if cell.cell_type == "code" and grade_id(cell) not in tests])
