"""`nbjudge collect` and `nbjudge giveback`: what they say."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from nbjudge._common.signals import FOR_EVER, stoppable
from nbjudge._common.terminal_text import MOST_NAMES, NAME, plural, say, shown, some
from nbjudge._course.course import Course
from nbjudge._course.outcomes import INTERRUPTED
from nbjudge._lms.archives import Left
from nbjudge._lms.collect import Collection, CollectRow, collect_from
from nbjudge._lms.giveback import PLATFORMS, give_back
from nbjudge._lms.placing import COLLECTED, PlacingResult
from nbjudge._report.csv_files import Cell, write_sheet
from nbjudge._report.terminal import MOST_STUDENTS
from nbjudge._wire.errors import CannotGrade

SHEET = "list.csv"  # in `collected/`
COLUMNS = ["assignment", "student", "name", "what", "late", "files", "remarks", "next"]


def collect(course: Course, console: Console, source: str, assignment: str = "", names: Path | None = None, is_newer: bool = False) -> int:
    """Collect what lies in FROM, and list who handed in what; 0 where it was read.

    Raises:
        CannotGrade: nothing can be collected; nothing was changed.
        OSError: the disk is full. What is collected stays.
    """
    if not source:
        raise CannotGrade("nothing says where the hand-ins lie", "make collect FROM=a zip file of Moodle's or Canvas's, a folder, or an exchange")
    try:
        with stoppable(FOR_EVER):
            collection = collect_from(course, Path(source).expanduser(), assignment, names, is_newer)
    except KeyboardInterrupt:
        say(console, "\nStopped. Each hand-in is there as a whole, or not at all. Next: the same command, which goes on.")
        return INTERRUPTED
    _print_rows(console, collection)
    for title, sentences in _lists(collection, is_newer).items():
        if sentences:
            console.print(f"\n[bold]{title}[/bold]")
            for sentence in sentences:
                say(console, f"  {sentence}")
    path = course.root / COLLECTED / SHEET
    path.parent.mkdir(exist_ok=True)
    write_sheet(path, _sheet(collection))
    counts = Counter(row.became for row in collection.rows)
    told = ", ".join(f"{counts[became]} {became.value}" for became in PlacingResult if counts[became])
    say(
        console,
        f"\n{plural(len(collection.rows), 'hand-in')}{f' ({told})' if told else ''}, {plural(len(collection.left), 'thing')} not collected, "
        f"which {'stays where it is' if len(collection.left) == 1 else 'stay where they are'}. The list: {COLLECTED}/{SHEET}",
    )
    if collection.requests:
        say(console, f"Requests for a second look: {collection.requests} new. Next: make regrade")
    if counts[PlacingResult.NEW] or counts[PlacingResult.LATER]:
        say(console, "Next: make grade")
    elif collection.rows and set(counts) == {PlacingResult.SAME}:
        say(console, "Nothing was changed: all of it was collected before.")
    return 0


def giveback(course: Course, console: Console, platform: str, assignment: str = "") -> int:
    """Give the feedback back, and list who gets none and why; 0 where somebody gets some.

    Raises:
        CannotGrade: nothing can be given back; nothing was changed.
    """
    if platform not in PLATFORMS:
        raise CannotGrade(f"feedback goes to {', '.join(PLATFORMS)}, not to {platform or 'nothing'}", "make giveback TO=moodle, for example")
    given = give_back(course, platform, assignment)
    for path, count in given.written.items():
        say(console, f"{shown(path)}: {plural(count, 'student')}")
    for line in given.advice:
        say(console, line)
    if given.missing:
        console.print("\n[bold]Without feedback[/bold]")
        for (name, why, next_step), students in sorted(given.missing.items()):
            say(console, f"  {shown(name)}: {some(students, 3 * NAME)}: {shown(why)}.\n      Next: {shown(next_step)}.")
    return 0 if given.written else 1


def _print_rows(console: Console, collection: Collection) -> None:
    """A line for each hand-in, or, in a large class, for each that one should look at."""
    is_large = len(collection.rows) > MOST_STUDENTS
    rows = [row for row in collection.rows if not is_large or _remarks(row) or row.became not in (PlacingResult.NEW, PlacingResult.SAME)]
    if not rows:
        return
    table = Table(
        title=Text("Handed in" + (f": {len(rows)} of {len(collection.rows)} to look at" if is_large else "")),
        title_justify="left",
        header_style="bold",
    )
    for heading in ("assignment", "student", "in FROM", "files", "", "remark"):
        table.add_column(heading, overflow="fold")
    for row in sorted(rows, key=lambda row: (row.handin.assignment, row.handin.student))[: None if not is_large else MOST_STUDENTS]:
        handin = row.handin
        table.add_row(
            *(
                Text(shown(text, most))
                for text, most in (
                    (handin.assignment, NAME),
                    (handin.student, NAME),
                    (handin.name, NAME),
                    (_files(row, 3), 3 * NAME),
                    (row.became.value, NAME),
                    ("; ".join(_remarks(row)), 1000),
                )
            )
        )
    console.print(table, soft_wrap=not console.is_terminal)
    if is_large and len(rows) > MOST_STUDENTS:
        say(console, f"... and {len(rows) - MOST_STUDENTS} more in {COLLECTED}/{SHEET}")


def _remarks(row: CollectRow) -> list[str]:
    return [*([row.late] if row.late else []), *row.handin.remarks]


def _files(row: CollectRow, most: int) -> str:
    names = sorted(map(str, row.handin.files))
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _lists(collection: Collection, is_newer: bool) -> dict[str, list[str]]:
    """What to know besides, in sentences under headings."""
    unknown = [row for row in collection.rows if row.became is PlacingResult.UNKNOWN]
    new_names = sorted({row.handin.student for row in collection.rows if row.handin.is_new_name})
    notes = [
        f"{shown(name)}: no due date is known, so only Canvas's own mark tells who is late. Next: write it into dates.csv."
        for name in sorted({row.handin.assignment for row in collection.rows})
        if collection.due.get(name) is None
    ]
    for name, rows in sorted(_by_assignment(collection.rows).items()):
        unknown_times = sum(row.handin.time is None for row in rows)
        if unknown_times and collection.due.get(name) is not None:
            were = "was" if unknown_times == 1 else "were"
            notes.append(
                f"{shown(name)}: when {unknown_times} of {len(rows)} {were} handed in is not known: zips and folders do not say it. "
                "Canvas marks who is late; for Moodle, look there."
            )
    if new_names and not collection.knows_class:
        notes.append(
            f"There is no list of the class, so names are taken as they are: {some(new_names, 3 * NAME)}. Next: write the class into class.csv."
        )
    notes += [
        f"{shown(name)}: nothing yet from {some(students, 3 * NAME)}{f' ({len(students)} in all)' if len(students) > MOST_NAMES else ''}."
        for name, students in sorted(collection.missing.items())
        if students and collection.knows_class
    ]
    advice = "keep the one that counts, or say that FROM holds the later ones: the same command with --newer (NEWER=yes)"
    return {
        "Earlier or later is not known: what was there stays": [
            f"{shown(row.handin.student)}/{shown(row.handin.assignment)}: another one lies in submitted/.\n      Next: {advice}."
            for row in unknown[:MOST_NAMES]
        ]
        + ([f"... and {len(unknown) - MOST_NAMES} more in the list"] if len(unknown) > MOST_NAMES else []),
        "Not collected": _grouped(collection.left),
        "To know": notes,
    }


def _grouped(left: Iterable[Left]) -> list[str]:
    """Each reason once, with the places that have it."""
    places: dict[tuple[str, str], list[str]] = {}
    for one in left:
        places.setdefault((one.why, one.next_step), []).append(one.where)
    return [f"{some(where, 3 * NAME)}: {shown(why)}.\n      Next: {shown(next_step)}." for (why, next_step), where in sorted(places.items())]


def _by_assignment(rows: Iterable[CollectRow]) -> dict[str, list[CollectRow]]:
    groups: dict[str, list[CollectRow]] = {}
    for row in rows:
        groups.setdefault(row.handin.assignment, []).append(row)
    return groups


def _sheet(collection: Collection) -> list[list[Cell]]:
    rows: list[list[Cell]] = [list(COLUMNS)]
    for row in sorted(collection.rows, key=lambda row: (row.handin.assignment, row.handin.student)):
        rows.append(
            [
                row.handin.assignment,
                row.handin.student,
                row.handin.name,
                row.became.value,
                row.late,
                _files(row, 1000),
                "; ".join(row.handin.remarks),
                None,
            ]
        )
    rows += [["", "", _printable(one.where), "not collected", "", "", one.why, one.next_step] for one in collection.left]
    rows += [
        [name, student, "", "nothing yet", "", "", "", None]
        for name, students in sorted(collection.missing.items())
        for student in students
        if collection.knows_class
    ]
    return rows


def _printable(text: str) -> str:
    return os.fsencode(text).decode("utf-8", "replace")
