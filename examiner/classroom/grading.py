"""Grade a whole class: many submissions at once, one outcome each, one writer, and nothing stops the rest."""

from __future__ import annotations

import errno
import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from nbformat import NotebookNode

from examiner.classroom.course import Course
from examiner.classroom.feedback import FeedbackWriters
from examiner.classroom.intake import Assignments, find_submissions, inspect
from examiner.classroom.outcomes import (
    DISK_FULL,
    MAKE_ROOM,
    Outcome,
    Status,
    Submission,
)
from examiner.classroom.pool import Job, Pool
from examiner.judge.markers import Markers
from examiner.nbgrader_steps.preprocessors import has_other_files, markers_of
from examiner.wire.errors import CannotGrade, CannotJudge

TRY_AGAIN = "run the same command again; if it stays, open the notebook and look at its cells one by one"
RECEIPT = ".graded.json"  # lies beside a graded notebook and says what it was made from


def grade_class(course: Course, started: Callable[[int], None] = lambda count: None, workers: int | None = None) -> Iterator[Outcome]:
    """Grade everything in `submitted/` and write feedback; yield an outcome for each entry as it is known.

    Submissions are executed by worker processes, in the order in which workers are free, and recorded by this one. A
    submission that was graded before is skipped unless it, or the lesson, has changed since. So a run that was stopped goes on
    where it stopped.

    Args:
        started: called once with the number of submissions, before the first is graded.
        workers: how many to execute at once; one for each core by default.

    Raises:
        OwnFailure: nothing can be executed at all, for example because there is no sandbox.
    """
    assignments = course.assignments()
    submissions, misplaced = find_submissions(course.folder("submitted"), assignments)
    settled: deque[Outcome] = deque()  # known without executing anything
    executor = course.executor()
    with (
        Pool(workers, executor.chosen_limits(), tuple(executor.packages), executor.sandbox) as pool,
        FeedbackWriters(course.root) as writers,
    ):
        if any(not _receipt(course, submission).is_file() for submission in submissions):
            pool.prepare()
        for assignment in sorted({submission.assignment for submission in submissions}):
            course.register(assignment)
        started(len(submissions) + len(misplaced))
        yield from misplaced
        for prepared, execution in pool.run(_jobs(course, submissions, assignments, settled, markers_of(executor))):
            yield from _take_all(settled)
            if isinstance(execution, CannotJudge):
                prepared.outcome.is_ours = True
                yield _not_graded(prepared.outcome, CannotGrade(str(execution), TRY_AGAIN))
                continue
            try:
                course.record(prepared.submission, prepared.notebook, execution)
            except (CannotGrade, OSError) as trouble:
                yield _not_graded(prepared.outcome, trouble)
                continue
            writers.begin(prepared, prepared.submission.student, prepared.submission.assignment)
            yield from (_finish(course, *written) for written in writers.done())
        yield from _take_all(settled)
        yield from (_finish(course, *written) for written in writers.done(everything=True))


class _Prepared:
    """A submission that waits for its execution, with the outcome that it will have when nothing goes wrong."""

    def __init__(self, submission: Submission, outcome: Outcome, made_from: dict[str, str], notebook: NotebookNode):
        self.submission, self.outcome, self.made_from, self.notebook = submission, outcome, made_from, notebook


def _jobs(course: Course, submissions: list[Submission], assignments: Assignments, settled: deque[Outcome],
          markers: Markers) -> Iterator[Job]:
    """One job for each submission that has to run; what is settled without running goes to `settled`."""
    sources: dict[str, NotebookNode] = {}  # the test cells of each assignment, read once
    for submission in submissions:
        outcome = Outcome(str(submission.notebook.relative_to(course.root)), Status.GRADED, submission.student, submission.assignment)
        try:
            outcome.notes = inspect(submission, assignments)
            made_from = _digests(course, submission)
            if _is_graded(course, submission, made_from):
                outcome.status = Status.GRADED_BEFORE
                settled.append(outcome)
                continue
            notebook = course.sanitise(submission)
            if submission.assignment not in sources:
                sources[submission.assignment] = course.test_cells(submission)
        except (CannotGrade, OSError) as trouble:
            settled.append(_not_graded(outcome, trouble))
            continue
        folder = submission.notebook.parent
        yield Job(_Prepared(submission, outcome, made_from, notebook), notebook, sources[submission.assignment],
                  folder if has_other_files(folder) else None, markers)


def _finish(course: Course, prepared: _Prepared, trouble: CannotGrade | None) -> Outcome:
    """The outcome of a recorded submission whose feedback is written. From now on another run skips it."""
    try:
        if trouble:
            raise trouble
        _receipt(course, prepared.submission).write_text(json.dumps(prepared.made_from), encoding="utf-8")
    except (CannotGrade, OSError) as trouble:
        return _not_graded(prepared.outcome, trouble)
    return prepared.outcome


def _not_graded(outcome: Outcome, trouble: CannotGrade | OSError) -> Outcome:
    outcome.status = Status.NOT_GRADED
    if isinstance(trouble, CannotGrade):
        outcome.why, outcome.next_step = trouble.why, trouble.next_step
    elif trouble.errno == errno.ENOSPC:
        outcome.why, outcome.next_step = DISK_FULL, MAKE_ROOM
    else:
        outcome.why, outcome.next_step = f"{trouble.strerror}: {trouble.filename}", "mend that, then run the same command again"
    return outcome


def _is_graded(course: Course, submission: Submission, made_from: dict[str, str]) -> bool:
    """Whether the same submission was graded with the same lesson before, and the gradebook still has it."""
    try:
        receipt = json.loads(_receipt(course, submission).read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError):
        return False
    return receipt == made_from and course.is_graded(submission.student, submission.assignment)


def _receipt(course: Course, submission: Submission) -> Path:
    return course.folder("autograded") / submission.student / submission.assignment / RECEIPT


def _digests(course: Course, submission: Submission) -> dict[str, str]:
    source = course.folder("source") / submission.assignment / submission.notebook.name
    files = {"submitted": submission.notebook, "source": source, "config": course.root / "nbgrader_config.py"}
    timestamp = submission.notebook.parent / "timestamp.txt"
    if timestamp.is_file():
        files["timestamp"] = timestamp
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}


def _take_all(settled: deque[Outcome]) -> Iterator[Outcome]:
    while settled:
        yield settled.popleft()
