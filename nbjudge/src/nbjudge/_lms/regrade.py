"""`nbjudge regrade`: takes requests for a second look in, and lists them; `regrades.csv` is where an instructor answers them.

The journal (`nbjudge._nbgrader.regrades`) holds everything; the sheet is made from it each time, and of the sheet only `id` and `answer` are
read. So whatever a spreadsheet program does to dates, names or the order of lines, nothing is lost.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from nbjudge._common.csv_tables import heading, read_rows, too_many
from nbjudge._common.terminal_text import NAME, say, shown
from nbjudge._course.course import Course
from nbjudge._lms.archives import Left
from nbjudge._lms.regrade_requests import Request, read_requests
from nbjudge._nbgrader.feedback import number
from nbjudge._nbgrader.regrades import Journal, Regrade, journal, regrades
from nbjudge._report.csv_files import safe_cell, write_sheet
from nbjudge._report.regrades import Standing, stands
from nbjudge._wire.errors import CannotGrade

SHEET = "regrades.csv"  # in the course's folder
COLUMNS = ["id", "asked", "student", "assignment", "question", "points before", "points now", "state", "reason", "remarks", "answer"]
LARGEST = 1_000_000_000  # bytes of the sheet, which grows with what students write
MOST_SHOWN = 40  # open requests in the terminal
MOST_SAID = 240  # letters of a reason there


@dataclass
class TakenIn:
    """What a run did: requests that are new, requests that were known, answers that were read."""

    new: int = 0
    known: int = 0
    answered: int = 0


def regrade(course: Course, console: Console, source: str = "") -> int:
    """Take in the requests in FROM and the answers in `regrades.csv`, write that file anew, and list what is open; 0 where all was read.

    Raises:
        CannotGrade: FROM or the file cannot be read, or there is no gradebook. Nothing was changed.
    """
    book = stands(course)
    answers, notes = read_answers(course.root / SHEET), []
    found, left = read_requests(course, Path(source).expanduser() if source else None)
    done = TakenIn()
    with journal(course.root) as kept:
        before = {one.number: one for one in regrades(course.root)}
        for name, answer in answers.items():
            one = before.get(name)
            if one is None:
                notes.append(f"{SHEET} has a line with the id {name}, which is no request's. Next: look whose line it is, and write its id.")
            elif _same(answer) not in (_same(one.answer), _same(safe_cell(one.answer))):
                kept.answer(name, answer, book.points(one.about))
                done.answered += 1
        left += take_in(course, kept, found, book, done)
        write_answers(course, book)
    _print(console, course, book, left, notes, done)
    return 1 if left else 0


def take_in(course: Course, kept: Journal, found: Iterable[Request], book: Standing, done: TakenIn) -> list[Left]:
    """Add requests to the journal, each once; returns those that the gradebook knows nothing of.

    A request that was made again with the same reason is the same one; with another reason it is one more.
    """
    left: list[Left] = []
    known = {(one.about, one.reason) for one in regrades(course.root)}
    asked = {one.about.place: one.number for one in regrades(course.root)}
    for one in found:
        if (one.about, one.reason) in known:
            done.known += 1
            continue
        if not book.knows(one.about):
            why = f"the gradebook has no {one.about.question} of {one.about.student}'s in {one.about.assignment}"
            left.append(Left(one.where, why, "look whether the assignment or the student was taken out, or is to be graded again"))
            continue
        remarks = []
        if (earlier := asked.get(one.about.place)) is not None:
            remarks.append(f"asked before, as number {earlier}")
        if (version := book.version(one.about)) and version != one.about.version:
            remarks.append("about an earlier hand-in: another one was graded since")
        if one.sender and (address := book.address(one.about.student)) and address.lower() != one.sender.lower():
            remarks.append(f"the mail is from {one.sender}, not from {address}")
        asked[one.about.place] = kept.ask(one.about, one.reason, book.points(one.about), book.most(one.about), remarks)
        known.add((one.about, one.reason))
        done.new += 1
    return left


def read_answers(path: Path) -> dict[int, str]:
    """The answers in the sheet by the requests' numbers, as spreadsheet programs save it.

    Raises:
        CannotGrade: it is no such table.
    """
    if not path.exists():
        return {}
    (_, header), *rows = read_rows(path, COLUMNS, LARGEST) or [(1, [])]
    heads = [heading(cell) for cell in header]
    if "id" not in heads or "answer" not in heads:
        why = f"{path.name} has no line at its top with the columns id and answer. Nothing was changed"
        raise CannotGrade(why, "write them again, or move the file elsewhere: it is made anew, with all answers that were read before")
    at, answer = heads.index("id"), heads.index("answer")
    answers: dict[int, str] = {}
    notes = []
    for line, row in rows:
        cells = [*row, *[""] * (len(heads) - len(row))]
        text, name = cells[answer].strip(), cells[at].strip().lstrip("'")
        if why := too_many(row, header):  # part of an answer, perhaps
            notes.append(f"line {line} of {path.name}: {why}.")
            continue
        if not text:
            continue
        name = name.replace(",", ".").removesuffix(".00").removesuffix(".0")
        if not (name.isascii() and name.isdigit()):
            notes.append(f"line {line} of {path.name} has an answer and no id: {shown(text, NAME)} Next: write the id of its request before it.")
        elif answers.setdefault(int(name), text) != text:
            raise CannotGrade(f"{path.name} has two answers for number {name}. Nothing was changed", "leave one of them")
    if notes:  # written anew, the file would lose these answers
        raise CannotGrade(" ".join(notes).removesuffix(".") + ". Nothing was changed", "mend the file, then type the same command again")
    return answers


def _same(text: str) -> str:
    return " ".join(text.split())


def write_answers(course: Course, book: Standing) -> None:
    """Write the sheet: open requests first, each kind in the order in which they came in.

    Raises:
        OSError: it cannot be written. What was there is as it was.
    """
    every = sorted(regrades(course.root), key=lambda one: (not one.is_open, one.number))
    if not every and not (course.root / SHEET).exists():
        return
    rows = [
        [
            one.number,
            one.asked.strftime("%Y-%m-%d"),
            one.about.student,
            one.about.assignment,
            one.about.question,
            one.before,
            book.points(one.about),
            book.state(one),
            one.reason,
            "; ".join(one.remarks),
            one.answer,
        ]
        for one in every
    ]
    write_sheet(course.root / SHEET, [COLUMNS, *rows])


def _print(console: Console, course: Course, book: Standing, left: list[Left], notes: list[str], done: TakenIn) -> None:
    every = regrades(course.root)
    waiting = [one for one in every if one.is_open]
    for one in waiting[:MOST_SHOWN]:
        _print_one(console, one, book)
    if len(waiting) > MOST_SHOWN:
        say(console, f"... and {len(waiting) - MOST_SHOWN} more in {SHEET}")
    if left:
        console.print("\n[bold]Not taken in[/bold]")
        for what in left:
            say(
                console,
                f"  {shown(os.fsencode(what.where).decode('utf-8', 'replace'), 3 * NAME)}: {shown(what.why)}.\n      Next: {shown(what.next_step)}.",
            )
    for note in notes:
        say(console, shown(note))
    again = f", {done.known} known already" if done.known else ""
    changed = sum(one.has_changed_points for one in every)
    if every or left:
        say(console, f"{done.new} new{again}, {done.answered} answered now; {len(waiting)} of {len(every)} open, points changed at {changed}.")
    if waiting:
        say(console, f"Next: look at each (make formgrader), write an answer into {SHEET}, column answer, then make regrade.")
    elif done.answered:
        say(console, "Next: make feedback, and give the pages back: each answer stands in its student's page.")
    elif not every and not left:
        say(
            console,
            "Nobody has asked for a second look. Students ask in their feedback page; FROM=a folder, a zip, a mailbox or files takes requests in.",
        )


def _print_one(console: Console, one: Regrade, book: Standing) -> None:
    about, days = one.about, (datetime.now(UTC) - one.asked).days
    since = "today" if days == 0 else f"{days} day{'s' if days != 1 else ''} ago"
    points = "not graded" if one.before is None else f"{number(one.before)} of {number(one.most)}"
    state = "" if book.state(one) == "open" else f", {book.state(one)}"
    say(
        console,
        f"{one.number:>3}  {shown(about.student, NAME)}: {shown(about.question, NAME)} ({shown(about.assignment, NAME)}), {points}, {since}{state}",
    )
    say(console, f"     {shown(' '.join(one.reason.split()), MOST_SAID)}")
    for remark in one.remarks:
        say(console, f"     Note: {shown(remark)}.")
