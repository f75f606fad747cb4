"""`nbjudge watch`: looks, waits, and has one hand-in after another graded, by the same steps as a whole class."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from rich.console import Console
from sqlalchemy.exc import SQLAlchemyError

from nbjudge._common.due_dates import DATES
from nbjudge._common.roster import CLASS
from nbjudge._common.settings import Watch
from nbjudge._common.signals import FOR_EVER, pause, stoppable
from nbjudge._common.terminal_text import plural, say, shown
from nbjudge._course.class_records import bring_up_to_date
from nbjudge._course.course import Course
from nbjudge._course.feedback_state import GRADINGS
from nbjudge._course.grading import Grader
from nbjudge._course.intake import look_at
from nbjudge._course.locks import alone, turn
from nbjudge._course.outcomes import INTERRUPTED, Outcome, Status, Submission
from nbjudge._course.process_pool import LocalEngine
from nbjudge._course.tasks import receipt_of, was_handed_in
from nbjudge._report.terminal import by_name
from nbjudge._watch.exchange import Inbound
from nbjudge._watch.queue import Journal, Queue, QueuedHandIn
from nbjudge._watch.scan import Place, course_sign, course_times, later, look, name, now, points, sentence, sign
from nbjudge._wire.errors import CannotGrade, GraderError, Hindered, OwnFailure

COMMAND = "nbjudge watch"
JOURNAL = "watch.jsonl"  # in the folder of a course that keeps what happened
LOOK_SECONDS = 0.5  # from one look to the next
SHARE = 5.0  # in a large class, a look is followed by this many times as long without one
SLICE_SECONDS = 0.5  # of looking closer at many hand-ins, before something else has its turn
REST_SECONDS = 0.2


class Watcher:
    """Watches one course until somebody stops it.

    Args:
        make_course: reads the course; again, when its settings or lessons change.
        say: hears each sentence. Parts by students are `shown` before.
    """

    def __init__(self, make_course: Callable[[], Course], say: Callable[[str], None]):
        self._make_course, self._say = make_course, say
        self._course = make_course()
        self._settings = Watch.of(self._course.config)
        self._journal = Journal(self._course.root / GRADINGS / JOURNAL, self._settings.limit_seconds, time.time())
        self._queue = Queue(self._settings, self._journal)
        self._grader: Grader | None = None
        self._recorded: set[Place] = set()
        self._to_learn: list[str] = []  # assignments whose solutions are executed while nothing waits
        self._times: tuple[object, ...] = ()
        self._sign = ("", "")
        self._next_look, self._pause_until, self._failures = 0.0, 0.0, 0
        self._said: set[str] = set()
        self._broken: set[tuple[str, str, str]] = set()  # tests that could not judge, with the reason, of which it was said
        self.graded = 0

    def run(self) -> None:
        """Watch. Only `KeyboardInterrupt` ends it, and what makes it impossible to begin.

        Raises:
            CannotGrade, OwnFailure: the course cannot be graded as it is, or nothing can be executed; before anything was.
        """
        try:
            self._open()
            self._see()
            known = len(self._recorded)
            graded = f"{plural(known, 'hand-in')} {'is' if known == 1 else 'are'} graded"
            where = f"{shown(self._course.folders.submitted_directory)}/{self._inbound.where}"
            self._say(f"watching {where}: {graded}, {len(self._queue.waiting)} to look at. Ctrl-C ends it.")
            while True:
                pause()
                self._step()
        finally:
            self._journal.flush()
            self._close()

    def _open(self) -> None:
        """Start the processes that grade, and see what is graded already."""
        course = self._course
        self._inbound = Inbound(course, self._settings, self._say)
        self._times, self._sign = (), ("", "")
        self._grader = Grader(course, LocalEngine(workers=1))
        self._grader.__enter__()
        self._grader.warm_up()
        self._to_learn = [*course.lessons]
        with turn(course, COMMAND, self._say, FOR_EVER):
            changes = bring_up_to_date(course)
            self._recorded = course.recorded()
        if count := len(changes.changed_penalties):
            self._say(f"{now()}  points have changed for {plural(count, 'hand-in')}, by {CLASS} or {DATES}. Next: make feedback")
        self._times, self._sign = course_times(course), course_sign(course)
        again = {
            place
            for place, is_graded in self._journal.is_graded.items()
            if not is_graded or place not in self._recorded or not receipt_of(course, Submission(*place, Path(), ())).is_file()
        }
        self._journal.forget(again)

    def _close(self) -> None:
        if self._grader is not None:
            grader, self._grader = self._grader, None
            grader.__exit__()

    def _step(self) -> None:
        """One round: look if it is time for it, look closer at what is quiet, grade one, or rest."""
        moment = time.monotonic()
        if self._grader is None:
            if moment < self._pause_until:
                time.sleep(REST_SECONDS)
            else:
                self._open_again()
            return
        try:
            if moment >= self._next_look:
                self._see()
                self._collect()
                self._see_course()
            self._look_closer()
            is_at_work = time.monotonic() >= self._pause_until and (self._grade_next() or self._learn_next())
        except (GraderError, SQLAlchemyError, OSError) as error:
            self._fail(sentence(error))
            if isinstance(error, OwnFailure):
                self._close()
            return
        self._journal.flush()
        if not is_at_work:
            time.sleep(REST_SECONDS)

    def _open_again(self) -> None:
        """After a failure of ours, or when lessons or settings have changed."""
        try:
            self._course = self._make_course()
            self._settings = Watch.of(self._course.config)
            waiting, self._queue = self._queue.waiting, Queue(self._settings, self._journal)
            self._queue.waiting = waiting
            self._open()
        except (Exception, SystemExit) as error:  # the settings are a program, and may be half-written
            self._close()
            self._fail(sentence(error))

    def _see(self) -> None:
        begun = time.monotonic()
        self._queue.see(look(self._course.folder("submitted")), time.monotonic())
        ended = time.monotonic()
        self._next_look = ended + max(LOOK_SECONDS, SHARE * (ended - begun))

    def _see_course(self) -> None:
        """Begin anew where the lessons, the settings or the gradebook are others than before."""
        if (times := course_times(self._course)) == self._times:
            return
        self._times = times
        if (found := course_sign(self._course)) == self._sign:
            return
        if found[1] == self._sign[1]:
            self._say(f"{now()}  {CLASS} or {DATES} has changed, and counts from now on.")
        else:
            self._say(
                f"{now()}  lessons, settings or gradebook have changed. What was graded keeps its points; "
                "`nbjudge grade` grades it again with the new lessons."
            )
        self._close()

    def _collect(self) -> None:
        ready = self._inbound.ready(time.monotonic())
        if not ready:
            return
        with turn(self._course, COMMAND, self._say, FOR_EVER):
            for one in ready:
                pause()
                self._inbound.collect(*one)
        self._see()

    def _look_closer(self) -> None:
        """Find out of quiet hand-ins which have to be graded, and say once what is none."""
        begun = time.monotonic()
        refused: dict[tuple[str, str], list[str]] = {}
        for hand_in in self._queue.to_look_at(begun):
            if not os.path.lexists(self._path(hand_in.place)):
                continue  # the next look forgets it
            found = look_at(self._path(hand_in.place), self._course.folder("submitted"), self._course.lessons)
            if not self._is_patient(hand_in) and (isinstance(found, Outcome) or not self._is_complete(found)):
                hand_in.not_before = hand_in.changed + self._settings.patient_seconds
            elif isinstance(found, Outcome):
                refused.setdefault((found.why, found.next_step), []).append(found.where)
                self._queue.settle(hand_in, is_graded=False)
            elif self._was_graded(found):
                self._queue.settle(hand_in, is_graded=True)
            else:
                hand_in.is_new = True
            if time.monotonic() - begun > SLICE_SECONDS:
                break
        for (why, next_step), places in refused.items():
            self._say(f"{now()}  {by_name(places)}: not graded: {shown(why)}. Next: {shown(next_step)}.")

    def _was_graded(self, submission: Submission) -> bool:
        """Whether this very version has its points. What cannot be read is for the grading to tell."""
        with contextlib.suppress(CannotGrade, OSError):
            return (submission.student, submission.assignment) in self._recorded and was_handed_in(self._course, submission)
        return False

    def _grade_next(self) -> bool:
        """Have one hand-in graded; whether there was one."""
        hand_in = self._queue.next(time.monotonic(), time.time(), self._recorded, self._hold)
        if hand_in is None or self._grader is None:
            return False
        with turn(self._course, COMMAND, self._say, FOR_EVER):
            found = look_at(self._path(hand_in.place), self._course.folder("submitted"), self._course.lessons)
            if not self._is_as_seen(hand_in) or isinstance(found, Outcome) or self._was_graded(found):
                hand_in.is_new = False  # meanwhile it was changed, taken away, or graded by another command
                self._next_look = 0.0
                return True
            begun = time.monotonic()
            try:
                self._grader.register(found.assignment)
                [outcome] = self._grader.grade([found])
            except CannotGrade as refused:
                outcome = Outcome(
                    found.seen_from(self._course.root),
                    Status.NOT_GRADED,
                    *hand_in.place,
                    refused.why,
                    refused.next_step,
                    may_pass=isinstance(refused, Hindered),
                )
            except OwnFailure:
                self._put_off(hand_in)
                raise
            if outcome.status is Status.NOT_GRADED and not self._is_as_seen(hand_in):
                hand_in.is_new, self._next_look = False, 0.0
            else:
                self._settle(hand_in, outcome, time.monotonic() - begun)
        return True

    def _learn_next(self) -> bool:
        """Have the solution of one assignment executed, so that its first hand-in need not wait for that; whether there was one."""
        if self._grader is None or not self._to_learn or self._queue.waiting:
            return False
        assignment = self._to_learn.pop(0)
        with contextlib.suppress(CannotGrade, OSError), turn(self._course, COMMAND, self._say, FOR_EVER):  # what is wrong is said of hand-ins
            self._grader.learn(assignment)
        return True

    def _settle(self, hand_in: QueuedHandIn, outcome: Outcome, seconds: float) -> None:
        """Say what became of a hand-in, or try it again later."""
        if outcome.status is not Status.NOT_GRADED:
            is_now = outcome.status is Status.GRADED
            self._recorded.add(hand_in.place)
            self._queue.settle(hand_in, True, time.time() if is_now else None)
            self._failures = 0
            self._said.clear()
            if is_now:
                self.graded += 1
                self._say(f"{now()}  {name(hand_in.place)}  {points(self._course, hand_in.place)}, {seconds:.1f} s{self._remarks(outcome)}")
        elif outcome.may_pass:
            self._put_off(hand_in)
            self._fail(f"{outcome.why}. Next: {outcome.next_step}.", for_all=False)
        elif self._is_patient(hand_in):
            self._queue.settle(hand_in, is_graded=False)
            self._say(f"{now()}  {shown(outcome.where)}: not graded: {shown(outcome.why)}. Next: {shown(outcome.next_step)}.")
        else:
            hand_in.not_before = hand_in.changed + self._settings.patient_seconds

    def _put_off(self, hand_in: QueuedHandIn) -> None:
        """It was not graded for a reason of ours: again later, and each time later still."""
        hand_in.not_before = time.monotonic() + later(hand_in.tries)
        hand_in.tries += 1

    def _fail(self, words: str, for_all: bool = True) -> None:
        """Say a trouble of ours, once until something goes well again; after several in a row, or a general one, nothing is tried for a while."""
        if words not in self._said:
            self._said.add(words)
            self._say(f"{now()}  not graded yet: {shown(words)} It is tried again by itself.")
        self._failures += 1
        if for_all or self._failures > 1:
            self._pause_until = time.monotonic() + later(self._failures - (1 if for_all else 2))
            if for_all:
                self._next_look = self._pause_until

    def _hold(self, hand_in: QueuedHandIn, free_at: float) -> None:
        until = datetime.fromtimestamp(free_at).strftime("%H:%M:%S")
        self._say(
            f"{now()}  {name(hand_in.place)}  waits until {until}: graded {plural(self._settings.limit, 'time')} within "
            f"{self._settings.limit_seconds / 60:g} min. The latest version counts then."
        )

    def _remarks(self, outcome: Outcome) -> str:
        """What else there is to say of a grading: notes, trouble with the exchange, and how many wait."""
        told = [shown(note) for note in outcome.notes]
        for test in outcome.broken_tests:
            what, why = f"{shown(test.grade_id)} could not judge and is to be looked at", (outcome.assignment, test.grade_id, test.message)
            told.append(what if why in self._broken else f"{what}: {shown(test.message.rstrip('.'))}")
            self._broken.add(why)
        if self._settings.release_feedback and (trouble := self._inbound.release(outcome.student, outcome.assignment)):
            told.append(shown(trouble))
        if waiting := sum(hand_in.is_new for hand_in in self._queue.waiting.values()):
            told.append(f"{waiting} {'waits' if waiting == 1 else 'wait'}")
        return "".join(f"; {words}" for words in told)

    def _is_patient(self, hand_in: QueuedHandIn) -> bool:
        """Whether a hand-in stayed as it is for so long that no more is to come."""
        return time.monotonic() - hand_in.changed >= self._settings.patient_seconds

    def _is_as_seen(self, hand_in: QueuedHandIn) -> bool:
        with contextlib.suppress(OSError):
            return sign(self._path(hand_in.place)) == hand_in.sign
        return False

    def _is_complete(self, submission: Submission) -> bool:
        return len(submission.notebooks) == len(self._course.lessons[submission.assignment].notebooks)

    def _path(self, place: Place) -> Path:
        return self._course.folder("submitted").joinpath(*filter(None, place))


GRACE_SECONDS = 3.0  # what is being graded is finished if that is so soon, and abandoned if not


def watch(make_course: Callable[[], Course], console: Console, limit: int | None = None) -> int:
    """Grade what is handed in as it comes, until somebody stops it; returns the exit status of a program that was stopped.

    Args:
        make_course: reads the course.
        limit: in place of the course's own `c.Watch.limit`.

    Raises:
        CannotGrade: another process watches this course, or it cannot be graded as it is.
        OwnFailure: nothing can be executed, for example because there is no sandbox.
    """
    if limit is not None and limit < 1:
        raise CannotGrade(f"--limit {limit} would grade nobody", "give a number from 1 on")

    def course() -> Course:
        made = make_course()
        if limit is not None:
            made.config.Watch.limit = limit
        return made

    def tell(words: str) -> None:
        say(console, words)

    watcher = None
    with stoppable(GRACE_SECONDS):
        try:
            with alone(course().root, COMMAND, tell):
                watcher = Watcher(course, tell)
                watcher.run()
        except KeyboardInterrupt:
            count = watcher.graded if watcher else 0
            graded = f"{plural(count, 'hand-in')} {'was' if count == 1 else 'were'} graded"
            tell(f"Stopped. {graded}. What is not waits for the next `{COMMAND}` or `nbjudge grade`.")
    return INTERRUPTED
