"""`examiner report`, and what `examiner grade` leaves for it."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from examiner.classroom.course import Course
from examiner.classroom.outcomes import Outcome
from examiner.report import pages
from examiner.report.causes import share_named
from examiner.report.compose import compose, read_notebooks
from examiner.report.gradebook import read_book
from examiner.report.history import changes, keep, last_two, photograph
from examiner.report.model import Change, Whole
from examiner.report.plain import say, shown
from examiner.report.settings import Report
from examiner.wire.errors import CannotGrade

FOLDER = "report"


def report(course: Course, console: Console, folder: Path | None = None, hide_names: bool = False) -> int:
    """Write the report, and say where it is and how many failures have a cause with a name; 0 always.

    Args:
        folder: where the pages go; `report` in the course's folder by default.
        hide_names: whether students have numbers instead of names.

    Raises:
        CannotGrade: there is nothing to report, or the pages cannot be written there.
    """
    target = folder or course.root / FOLDER
    whole = make(course, console, hide_names)
    index = pages.write(target, whole)
    for part in whole.parts:
        named, failures = share_named(part.causes)
        say(console, f"{shown(part.assignment)}: {len(part.sums)} graded, {_share(named, failures)}")
    if len(whole.parts) != 1:
        say(console, f"all: {_share(whole.named, whole.failures)}")
    say(console, f"report: {_seen_from(course.root, index)}")
    return 0


def make(course: Course, console: Console, hide_names: bool = False) -> Whole:
    """Read the gradebook and the graded notebooks; keep a photograph of the gradebook where something is different from the last.

    Raises:
        CannotGrade: there is nothing to report.
    """
    settings = Report.of(course.config)
    book = read_book(course, settings.ending)
    earlier, last = last_two(course)
    now = photograph(course, book, before=last)
    before = earlier if last is not None and now.shows_the_same(last) else last
    with Progress(TextColumn("reading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task("", total=len(book.submissions))
        told = read_notebooks(course, book, lambda: bar.advance(task))
    keep(course, now)
    return compose(course, settings, book, told, now, before, hide_names)


def remember(course: Course, outcomes: list[Outcome]) -> tuple[Change, ...]:
    """After a grading: keep a photograph of the gradebook, with what became of everything, for reports that tell what changed.

    Returns:
        Who has other points than in the photograph before, and why.
    """
    try:
        book = read_book(course)
    except CannotGrade:  # nothing was graded, or another program writes at this moment; the report says so itself
        return ()
    _, before = last_two(course)
    now = photograph(course, book, outcomes)
    keep(course, now)
    return changes(before, now, [question for questions in book.questions.values() for question in questions])[0] if before else ()


def _share(named: int, failures: int) -> str:
    if not failures:
        return "no answer lost points at a test"
    return f"{named} of {failures} failures have a cause with a name, {named / failures:.0%}"


def _seen_from(root: Path, path: Path) -> str:
    """A path as the person who typed the command would write it."""
    try:
        return str(path.relative_to(root))
    except ValueError:
        return str(path)
