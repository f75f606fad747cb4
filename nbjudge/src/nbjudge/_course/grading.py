"""Grade a class, or one submission as it comes: one outcome each, one writer, and nothing stops the rest."""

from __future__ import annotations

import contextlib
import errno
import shutil
import tempfile
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from nbjudge._analysis.instructor import Instructor
from nbjudge._common.atomic_write import DISK_FULL, MAKE_ROOM
from nbjudge._common.preload import something_waits
from nbjudge._course.course import Course
from nbjudge._course.feedback_state import RESULTS, current_pages, page_maker, states
from nbjudge._course.given_files import given_files
from nbjudge._course.intake import find_submissions
from nbjudge._course.outcomes import (
    Outcome,
    Status,
    Submission,
    Work,
)
from nbjudge._course.process_pool import Engine, Job, LocalEngine
from nbjudge._course.result_cache import CachedExecutor
from nbjudge._course.task_pool import DidNotEnd, TaskPool
from nbjudge._course.tasks import (
    beside_tests,
    files_of,
    graded_before,
    prepare,
    receipt_of,
    show,
    show_nothing,
    show_plainly,
    source_digests,
    write_receipt,
)
from nbjudge._execution.execute import Execution
from nbjudge._nbgrader.clues import write_clues
from nbjudge._nbgrader.preprocessors import has_other_files
from nbjudge._wire.errors import CannotGrade, CannotJudge, GraderError, Hindered

JobKey = tuple[Work, str]  # a submission, and one of its notebooks by name
STALE = "the hand-in, the lesson or a setting has changed since it was graded: `nbjudge grade` grades it again"
NOT_ASKED_FOR = "it is not graded yet, because only other assignments were asked for", "`nbjudge grade` grades everything"
TRY_AGAIN = "run the same command again; if it stays, open the notebook and look at its cells one by one"
SHOWN_PLAINLY = "its pages show texts and outputs as plain text, cut where they are long: turning them into HTML did not come to an end"
NOT_SHOWN = (
    "it has no feedback page, only one that says so: turning the notebook into HTML did not come to an end. "
    "Its points are recorded. Look at what was handed in, and do not open it in the formgrader"
)


def grade_class(
    course: Course,
    started: Callable[[int], None] = lambda count: None,
    engine: Engine | None = None,
    only: Collection[str] = (),
    forced: bool = False,
) -> Iterator[Outcome]:
    """Grade everything in `submitted/` and write feedback; yield an outcome for each entry as it is known.

    One that was graded before is skipped unless it, or the lesson, has changed since. So a run that was stopped goes on where it stopped.

    Args:
        started: called once with the number of submissions, before the first is graded.
        engine: where submissions are executed; on all cores of this machine by default.
        only: names of the assignments to grade; all by default.
        forced: whether each is executed once more, also where nothing has changed.

    Raises:
        CannotGrade: the course itself cannot be graded as it is; nothing was started.
        Hindered: the engine is not there, or is gone; what is recorded stays.
        OwnFailure: nothing can be executed at all, for example because there is no sandbox.
    """
    with Grader(course, engine, forced) as grader:
        if forced or something_waits(course.root, course.folder("submitted"), course.folder("source")):
            grader.warm_up()  # first of all: it takes longer than all that comes before the first submission
        submissions, misplaced = find_submissions(course.folder("submitted"), course.lessons)
        if only:
            submissions = [submission for submission in submissions if submission.assignment in only]
            misplaced = [outcome for outcome in misplaced if outcome.assignment in only]
        known = {} if forced else _graded_before(course, submissions)
        others = [submission for submission in submissions if submission.folder not in known]
        started(len(submissions) + len(misplaced))
        yield from misplaced
        yield from known.values()
        yield from grader.grade_new(_smallest_first(others))


def left_alone(course: Course, only: Collection[str]) -> list[Outcome]:
    """What becomes of the submissions to other assignments than `only` when these alone are graded: each stays as it is.

    Raises:
        CannotGrade: the gradebook cannot be read.
    """
    submissions, misplaced = find_submissions(course.folder("submitted"), course.lessons)
    others = [submission for submission in submissions if submission.assignment not in only]
    known, recorded = _graded_before(course, others), course.recorded()
    found = [outcome for outcome in misplaced if outcome.assignment not in only]
    for one in others:
        outcome = known.get(one.folder) or _begun(course, one)
        if one.folder not in known and (one.student, one.assignment) in recorded:
            outcome.status, outcome.notes = Status.GRADED_BEFORE, [STALE]
        elif one.folder not in known:
            outcome.why, outcome.next_step = NOT_ASKED_FOR
        found.append(outcome)
    return found


def _smallest_first(submissions: list[Submission]) -> list[Submission]:
    """One assignment after the other, each read when its turn comes. The one with the smallest notebook first: who waits sees soon that it works."""
    first = min(submissions, key=_bytes).assignment if submissions else ""
    return sorted(submissions, key=lambda one: (one.assignment != first, one.assignment))


def _bytes(submission: Submission) -> int:
    with contextlib.suppress(OSError):  # it went away meanwhile
        return sum(path.stat().st_size for path in submission.notebooks)
    return 0


def _graded_before(course: Course, submissions: Sequence[Submission]) -> dict[Path, Outcome]:
    """The outcomes of what is graded as it lies there, by its folder. Nothing is started for it, and the gradebook is asked once, or not at all."""
    sources: dict[str, dict[str, str]] = {}
    beside = cache(lambda assignment: beside_tests(course, assignment))
    found: list[tuple[Submission, Outcome]] = []
    for submission in submissions:
        if receipt_of(course, submission).is_file():
            if submission.assignment not in sources:
                sources[submission.assignment] = source_digests(course, submission.assignment)
            if (outcome := graded_before(course, submission, sources[submission.assignment], beside)) is not None:
                found.append((submission, outcome))
    graded = course.graded() if found and course.has_gradebook else set()
    return {submission.folder: outcome for submission, outcome in found if (submission.student, submission.assignment) in graded}


class Grader:
    """The processes that grade a course's submissions, with what they need of its lessons, for as long as the context lasts.

    A submission goes through three kinds of processes: it is prepared beside this one (`task_pool`), executed by a worker (`process_pool`, or another
    engine's), recorded here, and shown beside again.

    Args:
        engine: where submissions are executed; on all cores of this machine by default.
        forced: whether results that are kept are not used.

    Raises:
        CannotGrade: the course's settings cannot be meant.
    """

    def __init__(self, course: Course, engine: Engine | None = None, forced: bool = False):
        executor = course.executor()
        self._course = course
        limits, packages = executor.chosen_limits(), tuple(executor.packages)
        executing = (engine or LocalEngine()).open(limits, packages, executor.sandbox)
        self._executing = CachedExecutor(executing, course.root / RESULTS, limits, packages, executor.sandbox, is_read=not forced)
        self._task_pool = TaskPool[Work](course.root)
        self._registered: set[str] = set()
        self._instructors: dict[tuple[str, str], Instructor] = {}  # of each notebook, read once
        self._beside_tests = cache(lambda assignment: beside_tests(course, assignment))
        self._open = contextlib.ExitStack()
        self._has_shown = False

    def __enter__(self) -> Grader:
        with contextlib.ExitStack() as opening:
            opening.enter_context(self._executing)
            opening.enter_context(self._task_pool)
            self._given = Path(opening.enter_context(tempfile.TemporaryDirectory(prefix="given-")))
            self._open = opening.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def warm_up(self) -> None:
        """Start what takes long to start; it goes on while the caller does something else. Raises as `Executing.prepare`."""
        self._executing.prepare()

    def register(self, assignment: str) -> None:
        """Tell the gradebook the cells of an assignment, once. What is graded belongs to one that is registered.

        Raises:
            CannotGrade: nbgrader refuses the assignment.
        """
        if assignment not in self._registered:
            self._course.register(assignment)
            self._registered.add(assignment)

    def learn(self, assignment: str) -> None:
        """Register an assignment, and execute its solution for what the grading of a submission may ask of it: the first one need not wait then.

        Raises:
            CannotGrade: nbgrader refuses the assignment.
            OwnFailure: as `grade`.
        """
        self.register(assignment)
        theirs = given_files(self._course, assignment, self._given / "given")
        instructors = [self._instructor(assignment, name, theirs) for name in self._course.lessons[assignment].notebooks]
        for _ in self._executing.run([Job(assignment, one.notebook, one, is_solution=True) for one in instructors]):
            pass

    def grade(self, submissions: Sequence[Submission]) -> Iterator[Outcome]:
        """Grade submissions and write their feedback; yield an outcome for each as it is known. Leaving early abandons the rest.

        Raises:
            Hindered: the engine is gone.
            OwnFailure: nothing can be executed at all, for example because there is no sandbox.
        """
        known = _graded_before(self._course, submissions)  # by another command, since somebody looked
        yield from known.values()
        yield from self.grade_new([submission for submission in submissions if submission.folder not in known])

    def grade_new(self, submissions: Sequence[Submission]) -> Iterator[Outcome]:
        """As `grade`, for those of which it is known that they were not graded as they lie there. Raises the same."""
        course, settled = self._course, deque[Outcome]()  # known without executing anything
        trouble: Hindered | None = None
        try:
            for (work, name), execution in self._executing.run(self._jobs(submissions, settled)):
                yield from _take_all(settled)
                work.executions[name] = execution
                if not work.is_executed:
                    continue
                shutil.rmtree(self._copies(work), ignore_errors=True)
                if (outcome := _record(course, work)) is not None:
                    yield outcome
                    continue
                self._task_pool.begin(work, show, work.submission.student, work.submission.assignment)
                yield from _shown(course, self._task_pool, everything=not self._has_shown)  # the first one at once: who waits sees that it works
                self._has_shown = True
        except Hindered as gone:  # the engine: what it has done so far counts
            trouble = gone
        yield from _take_all(settled)
        yield from _shown(course, self._task_pool, everything=True)
        if trouble is not None:
            raise trouble

    def _jobs(self, submissions: Sequence[Submission], settled: deque[Outcome]) -> Iterator[Job[JobKey]]:
        """One job for each notebook that has to run; what is settled without running goes to `settled`."""
        course = self._course
        registered = ((submission,) for submission in self._of_registered(submissions, settled))
        for (submission,), work in self._task_pool.map(prepare, registered):
            if not isinstance(work, Work):
                settled.append(_not_graded(_begun(course, submission), work))
                continue
            try:
                theirs = given_files(course, submission.assignment, self._given / "given")
                instructors = {name: self._instructor(submission.assignment, name, theirs) for name in work.notebooks}
                work.beside_tests = self._beside_tests(submission.assignment)
                own = self._own_files(work)
            except (CannotGrade, OSError) as trouble:
                settled.append(_not_graded(work.outcome, trouble))
                continue
            # The instructor's files replace a student's of the same name, as in nbgrader's own autograde.
            folders = [folder for folder in (own, theirs) if folder]
            for name, notebook in work.notebooks.items():
                yield Job((work, name), notebook, instructors[name], folders)

    def _of_registered(self, submissions: Sequence[Submission], settled: deque[Outcome]) -> Iterator[Submission]:
        """The submissions, each when its assignment is registered; those to one that nbgrader refuses are settled."""
        refused: dict[str, CannotGrade] = {}
        for one in submissions:
            if one.assignment not in refused:
                try:
                    self.register(one.assignment)
                except Hindered:
                    raise
                except CannotGrade as trouble:
                    refused[one.assignment] = trouble
            if one.assignment in refused:
                settled.append(replace(_not_graded(_begun(self._course, one), refused[one.assignment]), is_authors=True))
            else:
                yield one

    def _own_files(self, work: Work) -> Path | None:
        """The folder with what a student's cells find beside them, None where there is nothing: a copy, where not all of it goes on."""
        folder = work.submission.folder
        if not work.has_all_files:
            files, folder = files_of(self._course, work.submission), self._copies(work)
            for name in files.folders:
                (folder / name).mkdir(parents=True, exist_ok=True)
            files.copy(folder)
        return folder if folder.is_dir() and has_other_files(folder) else None

    def _copies(self, work: Work) -> Path:
        return self._given / "copies" / work.submission.student / work.submission.assignment

    def _instructor(self, assignment: str, name: str, theirs: Path | None) -> Instructor:
        if (assignment, name) not in self._instructors:
            self._instructors[assignment, name] = replace(self._course.instructor(assignment, name), given=(theirs,) if theirs else ())
        return self._instructors[assignment, name]


def write_feedback(course: Course, only: Collection[tuple[str, str]] | None = None) -> Iterator[tuple[str, str, CannotGrade | None]]:
    """See that the feedback of everything in `autograded/` is as it would be written now, and write what is not.

    Yields student, assignment and why there is no page, where there is none.

    Args:
        only: student and assignment of what to look at; everything by default.

    Raises:
        CannotGrade: the gradebook cannot be read.
    """
    places = {(path.parent.parent.name, path.parent.name) for path in course.folder("autograded").glob("*/*/*.ipynb")}  # which may hold several
    wanted = sorted(places if only is None else places.intersection(only))
    now = {assignment: states(course, assignment) for assignment in {assignment for _, assignment in wanted} & course.lessons.keys()}
    current = {
        (student, assignment)
        for student, assignment in wanted
        if (state := now.get(assignment, {}).get(student)) and current_pages(course, student, assignment, state, page_maker(course))
    }
    yield from ((*place, None) for place in wanted if place in current)
    if len(current) == len(wanted):
        return
    with TaskPool[tuple[str, str]](course.root) as pool:
        for place in wanted:
            if place not in current:
                pool.begin(place, show, *place)
        for key, result in pool.done(everything=True):
            yield *key, result


def _record(course: Course, work: Work) -> Outcome | None:
    """Have what was executed written to the gradebook; the outcome when there is nothing to write."""
    try:
        executions: dict[str, Execution] = {}
        for name, execution in work.executions.items():
            if isinstance(execution, CannotJudge):
                return _not_graded(work.outcome, execution)
            executions[name] = execution
            work.outcome.notes += [execution.cut_short] if execution.cut_short else []
        course.record(work.submission, {name: execution.notebook for name, execution in executions.items()})
        found = {name: execution.verdicts for name, execution in executions.items()}
        write_clues(course.root, work.submission.student, work.submission.assignment, found)
        work.outcome.broken_tests = [verdict for verdicts in found.values() for verdict in verdicts if verdict.kind == "unjudged"]
    except (CannotGrade, OSError) as trouble:
        return _not_graded(work.outcome, trouble)
    finally:
        work.notebooks, work.executions = {}, {}  # a class may be large
    return None


def _shown(course: Course, pool: TaskPool[Work], everything: bool = False) -> Iterator[Outcome]:
    """Outcomes of the recorded submissions whose pages are written by now, or of all. A page that cannot be made is made more plainly."""
    for work, result in pool.done(everything):
        submission = work.submission
        if isinstance(result, DidNotEnd) and SHOWN_PLAINLY not in work.outcome.notes:
            work.outcome.notes.append(SHOWN_PLAINLY)
            pool.begin(work, show_plainly, submission.student, submission.assignment)
            continue
        try:
            if isinstance(result, DidNotEnd):
                work.outcome.notes[-1] = NOT_SHOWN
                show_nothing(course, submission.student, submission.assignment)
            elif result is not None:
                raise result
            write_receipt(course, work)
        except (GraderError, OSError) as trouble:
            yield _not_graded(work.outcome, trouble)
            continue
        yield work.outcome


def _begun(course: Course, submission: Submission) -> Outcome:
    """Of a submission for which nothing is known yet."""
    return Outcome(submission.seen_from(course.root), Status.NOT_GRADED, submission.student, submission.assignment)


def _not_graded(outcome: Outcome, trouble: GraderError | OSError) -> Outcome:
    outcome.status = Status.NOT_GRADED
    outcome.may_pass = isinstance(trouble, Hindered | OSError) or not isinstance(trouble, CannotGrade)
    if isinstance(trouble, CannotGrade):
        outcome.why, outcome.next_step = trouble.why, trouble.next_step
    elif isinstance(trouble, GraderError):
        why = str(trouble) if isinstance(trouble, CannotJudge) else f"the grader failed on it ({trouble})"
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
