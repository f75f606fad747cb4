"""Grade a whole class: many submissions at once, one outcome each, one writer, and nothing stops the rest."""

from __future__ import annotations

import errno
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from examiner.classroom.aside import Aside, DidNotEnd
from examiner.classroom.course import Course
from examiner.classroom.given import given_files
from examiner.classroom.intake import find_submissions
from examiner.classroom.outcomes import (
    DISK_FULL,
    MAKE_ROOM,
    Outcome,
    Status,
    Submission,
    Work,
)
from examiner.classroom.pool import Job, Pool
from examiner.classroom.tasks import (
    prepare,
    receipt_of,
    show,
    show_nothing,
    show_plainly,
    write_clues,
    write_receipt,
)
from examiner.judge.execute import Execution
from examiner.judge.instructor import Instructor
from examiner.judge.verdicts import require_judged
from examiner.nbgrader_steps.preprocessors import has_other_files
from examiner.wire.errors import CannotGrade, CannotJudge, ExaminerError

JobKey = tuple[Work, str]  # a submission, and one of its notebooks by name
TRY_AGAIN = "run the same command again; if it stays, open the notebook and look at its cells one by one"
SHOWN_PLAINLY = "its pages show texts and outputs as plain text, cut where they are long: turning them into HTML did not come to an end"
NOT_SHOWN = ("it has no feedback page, only one that says so: turning the notebook into HTML did not come to an end. "
             "Its points are recorded. Look at what was handed in, and do not open it in the formgrader")


def grade_class(course: Course, started: Callable[[int], None] = lambda count: None, workers: int | None = None) -> Iterator[Outcome]:
    """Grade everything in `submitted/` and write feedback; yield an outcome for each entry as it is known.

    A submission goes through three kinds of processes: it is prepared beside this one (`aside`), executed by a worker (`pool`),
    recorded here, and shown beside again. One that was graded before is skipped unless it, or the lesson, has changed since. So a run
    that was stopped goes on where it stopped.

    Args:
        started: called once with the number of submissions, before the first is graded.
        workers: how many to execute at once; one for each core by default.

    Raises:
        CannotGrade: the course itself cannot be graded as it is; nothing was started.
        OwnFailure: nothing can be executed at all, for example because there is no sandbox.
    """
    submissions, misplaced = find_submissions(course.folder("submitted"), course.lessons)
    settled: deque[Outcome] = deque()  # known without executing anything
    executor = course.executor()
    with (
        Pool(workers, executor.chosen_limits(), tuple(executor.packages), executor.sandbox) as pool,
        Aside[Work](course.root) as aside,
        tempfile.TemporaryDirectory(prefix="given-") as given,
    ):
        if any(not receipt_of(course, submission).is_file() for submission in submissions):
            pool.prepare()
        for assignment in sorted({submission.assignment for submission in submissions}):
            course.register(assignment)
        started(len(submissions) + len(misplaced))
        yield from misplaced
        for (work, name), execution in pool.run(_jobs(course, aside, submissions, settled, Path(given))):
            yield from _take_all(settled)
            work.executions[name] = execution
            if not work.is_executed:
                continue
            if (outcome := _record(course, work)) is not None:
                yield outcome
                continue
            aside.begin(work, show, work.submission.student, work.submission.assignment)
            yield from _shown(course, aside)
        yield from _take_all(settled)
        yield from _shown(course, aside, everything=True)


def write_feedback(course: Course) -> Iterator[tuple[str, str, CannotGrade | None]]:
    """Write the feedback of everything in `autograded/` again; yields student, assignment and why there is no page, where there is none."""
    with Aside[tuple[str, str]](course.root) as aside:
        folders = {path.parent for path in course.folder("autograded").glob("*/*/*.ipynb")}  # once each: one may hold several notebooks
        for student, assignment in sorted((folder.parent.name, folder.name) for folder in folders):
            aside.begin((student, assignment), show, student, assignment)
        for key, result in aside.done(everything=True):
            yield *key, result


def _jobs(course: Course, aside: Aside[Work], submissions: list[Submission], settled: deque[Outcome],
          given: Path) -> Iterator[Job[JobKey]]:
    """One job for each notebook that has to run; what is settled without running goes to `settled`, copies of files to `given`."""
    instructors: dict[tuple[str, str], Instructor] = {}  # of each notebook, read once
    for (submission,), work in aside.map(prepare, ((submission,) for submission in submissions)):
        if not isinstance(work, Work):
            outcome = Outcome(submission.seen_from(course.root), Status.NOT_GRADED, submission.student, submission.assignment)
            settled.append(_not_graded(outcome, work))
            continue
        if work.outcome.status is Status.GRADED_BEFORE:
            settled.append(work.outcome)
            continue
        try:
            theirs = given_files(course, submission.assignment, given)
        except CannotGrade as trouble:
            settled.append(_not_graded(work.outcome, trouble))
            continue
        for name, notebook in work.notebooks.items():
            if (submission.assignment, name) not in instructors:
                instructor = course.instructor(submission.assignment, name)
                instructors[submission.assignment, name] = replace(instructor, given=(theirs,) if theirs else ())
            # The instructor's files replace a student's of the same name, as in nbgrader's own autograde.
            own = submission.folder if has_other_files(submission.folder) else None
            folders = [folder for folder in (own, theirs) if folder]
            yield Job((work, name), notebook, instructors[submission.assignment, name], folders)


def _record(course: Course, work: Work) -> Outcome | None:
    """Have what was executed written to the gradebook; the outcome when there is nothing to write."""
    try:
        executions: dict[str, Execution] = {}
        for name, execution in work.executions.items():
            if isinstance(execution, CannotJudge):
                return _not_graded(work.outcome, execution)
            executions[name] = execution
        verdicts = [verdict for execution in executions.values() for verdict in execution.verdicts]
        work.outcome.broken_tests = [verdict for verdict in verdicts if verdict.kind == "unjudged"]
        require_judged(verdicts)
        course.record(work.submission, {name: execution.notebook for name, execution in executions.items()})
        write_clues(course, work.submission, {name: execution.verdicts for name, execution in executions.items()})
    except (CannotGrade, OSError) as trouble:
        return _not_graded(work.outcome, trouble)
    finally:
        work.notebooks, work.executions = {}, {}  # a class may be large
    return None


def _shown(course: Course, aside: Aside[Work], everything: bool = False) -> Iterator[Outcome]:
    """Outcomes of the recorded submissions whose pages are written by now, or of all. A page that cannot be made is made more plainly."""
    for work, result in aside.done(everything):
        submission = work.submission
        if isinstance(result, DidNotEnd) and SHOWN_PLAINLY not in work.outcome.notes:
            work.outcome.notes.append(SHOWN_PLAINLY)
            aside.begin(work, show_plainly, submission.student, submission.assignment)
            continue
        try:
            if isinstance(result, DidNotEnd):
                work.outcome.notes[-1] = NOT_SHOWN
                show_nothing(course, submission.student, submission.assignment)
            elif result is not None:
                raise result
            write_receipt(course, work)
        except (ExaminerError, OSError) as trouble:
            yield _not_graded(work.outcome, trouble)
            continue
        yield work.outcome


def _not_graded(outcome: Outcome, trouble: ExaminerError | OSError) -> Outcome:
    outcome.status = Status.NOT_GRADED
    if isinstance(trouble, CannotGrade):
        outcome.why, outcome.next_step = trouble.why, trouble.next_step
    elif isinstance(trouble, ExaminerError):
        why = str(trouble) if isinstance(trouble, CannotJudge) else f"the examiner failed on it ({trouble})"
        outcome.is_ours, outcome.why, outcome.next_step = True, why, TRY_AGAIN
    elif trouble.errno == errno.ENOSPC:
        outcome.why, outcome.next_step = DISK_FULL, MAKE_ROOM
    else:
        why = f"{trouble.strerror}: {trouble.filename}" if trouble.strerror else f"{type(trouble).__name__}: {trouble}"
        outcome.why, outcome.next_step = why, "mend that, then run the same command again"
    return outcome


def _take_all(settled: deque[Outcome]) -> Iterator[Outcome]:
    while settled:
        yield settled.popleft()
