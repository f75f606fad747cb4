"""`examiner watch`."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console

from examiner.classroom.course import Course
from examiner.classroom.outcomes import INTERRUPTED
from examiner.classroom.stopping import stoppable
from examiner.classroom.turns import alone
from examiner.report.plain import say
from examiner.watching.watcher import COMMAND, Watcher
from examiner.wire.errors import CannotGrade

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
            graded = watcher.graded if watcher else 0
            tell(f"Stopped. {graded} hand-ins were graded. What is not waits for the next `{COMMAND}` or `examiner grade`.")
    return INTERRUPTED
