"""What the instructor sees in the terminal at the end: a table of students, or of questions where students are many, and the list of troubles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from rich.console import Console
from rich.table import Table
from rich.text import Text

from nbjudge._common.settings import Report
from nbjudge._common.terminal_text import NAME, say, shown
from nbjudge._course.outcomes import Outcome, Status
from nbjudge._report.csv_files import GradeRow, Grades
from nbjudge._report.model import PointsChange

FEW = 3  # places that are told by name
MOST_STUDENTS = 40  # in a table with a line for each
Reason = TypeVar("Reason", bound=Hashable)


def print_report(console: Console, grades: list[Grades], outcomes: list[Outcome], settings: Report | None = None) -> None:
    """Print a table per assignment, then what could not be graded and why, what to know besides, what is the instructor's, the counts.

    A table has a line for each student, or for each question where there are more than `MOST_STUDENTS`.
    """
    for assignment in grades:
        is_large = len(assignment.rows) > MOST_STUDENTS
        table = (_table_of_questions if is_large else _table_of_students)(assignment, settings or Report())
        console.print(table, soft_wrap=not console.is_terminal)
        if is_large and (remarks := _counted(assignment)):
            say(console, remarks)
    troubles = [((outcome.why, outcome.next_step), outcome.where) for outcome in outcomes if outcome.status is Status.NOT_GRADED]
    _tell(console, "Not graded", troubles, lambda reason: f"{shown(reason[0])}.\n      Next: {shown(reason[1])}.")
    notes = [(note, outcome.where) for outcome in outcomes for note in outcome.notes if outcome.status is not Status.NOT_GRADED]
    _tell(console, "Graded, with a note", notes, lambda note: f"{shown(note)}.")
    broken = [((outcome.assignment, test.grade_id, test.message), outcome.where) for outcome in outcomes for test in outcome.broken_tests]
    _tell(
        console,
        "Test cells that could not judge, through no fault of a student",
        broken,
        lambda test: (
            f"{shown(test[0])}/{shown(test[1])}: {shown(test[2])}\n      Next: mend the test cell in source/, then run the same command again."
        ),
    )
    counts = Counter(outcome.status.value for outcome in outcomes)
    say(console, f"\n{len(outcomes)} in submitted/: " + ", ".join(f"{counts[status.value]} {status.value}" for status in Status))


def print_changes(console: Console, changes: Sequence[PointsChange]) -> None:
    """Print who gained and who lost points since the grading before, question by question, with the reason."""
    if changes:
        console.print("\n[bold]Other points than after the grading before[/bold]")
    for change in changes:
        parts = []
        for verb, sign in (("gained", 1), ("lost", -1)):
            if who := [f"{student} {now - before:+g}" for student, before, now in change.who if (now - before) * sign > 0]:
                parts.append(f"{len(who)} {verb} ({by_name(who)})")
        say(console, f"  {shown(change.question.assignment)}/{shown(change.question.name)}, {change.why}: {'; '.join(parts)}.")


def _tell(console: Console, title: str, things: list[tuple[Reason, str]], sentence: Callable[[Reason], str]) -> None:
    """Print each reason once, with the places that have it: by name where they are few, else with their number. In the same order each time."""
    places: dict[Reason, list[str]] = {}
    for reason, where in sorted(things, key=lambda thing: thing[1]):
        places.setdefault(reason, []).append(where)
    if places:
        console.print(f"\n[bold]{title}[/bold]")
    for reason, every in places.items():
        say(console, f"  {by_name(every)}: {sentence(reason)}")


def by_name(places: Sequence[str]) -> str:
    """The first few places, and how many there are where they are more."""
    return ", ".join(map(shown, places[:FEW])) + (f" and {len(places) - FEW} more ({len(places)} in all)" if len(places) > FEW else "")


def _table_of_students(grades: Grades, settings: Report) -> Table:
    """One line per student; see `Report` for questions that share a column."""
    alone = [question for question in grades.questions if settings.column_of(question) is None]
    shared: dict[str, list[str]] = {}
    for question in grades.questions:
        if (heading := settings.column_of(question)) is not None:
            shared.setdefault(heading, []).append(question)
    table = _empty(grades.assignment)
    table.add_column("student", no_wrap=True)
    for question in alone:
        words = _name(question, settings).replace("_", "\n")  # a grade id as a narrow heading: one line per word
        table.add_column(Text(f"{words}\n/ {grades.questions[question]:g}"), justify="right")
    for heading, questions in shared.items():
        table.add_column(Text(f"{shown(heading)}\n/ {sum(grades.questions[question] for question in questions):g}"), justify="right")
    table.add_column(f"sum\n/ {sum(grades.questions.values()):g}", justify="right", style="bold")
    table.add_column("remark")
    for row in grades.rows:
        cells = [_points(row.points[question]) for question in alone]
        cells += [_points(sum(row.points[question] or 0 for question in questions)) for questions in shared.values()]
        table.add_row(Text(shown(row.student, NAME)), *cells, _points(row.score), _remark(row))
    return table


def _table_of_questions(grades: Grades, settings: Report) -> Table:
    """One line per question: how many handed it in, and how those did that have points by now."""
    table = _empty(f"{grades.assignment}: {len(grades.rows)} students")
    table.add_column("question", overflow="fold")
    for heading in ("points", "handed\nin", "mean\n%", "none\n%", "some\n%", "full\n%", "to grade\nby hand"):
        table.add_column(heading, justify="right")
    for question, most in grades.questions.items():
        handed_in = [row.points[question] for row in grades.rows if question not in row.absent]
        known = [points for points in handed_in if points is not None]
        none, full = sum(points <= 0 for points in known), sum(points >= most for points in known)
        shares = [(sum(known), len(known) * most), *((count, len(known)) for count in (none, len(known) - none - full, full))]
        # There are no shares of a question without points; nor while most wait: the first points are those of answers that are as released.
        is_known = most > 0 and 2 * len(known) >= len(handed_in)
        cells = [_percent(part, whole) if is_known else "–" for part, whole in shares]
        table.add_row(Text(_name(question, settings)), f"{most:g}", str(len(handed_in)), *cells, str(len(handed_in) - len(known)))
    return table


def _empty(title: str) -> Table:
    return Table(title=Text(shown(title)), title_justify="left", header_style="bold")


def _name(question: str, settings: Report) -> str:
    return shown(question.removesuffix(settings.ending))


def _points(points: float | None) -> str:
    return "by hand" if points is None else f"{points:g}"


def _percent(part: float, whole: float) -> str:
    """A share as a whole number that is 0 or 100 only where it is none or all."""
    if whole <= 0:
        return "–"
    percent = round(100 * part / whole)
    return "<1" if percent == 0 and part > 0 else ">99" if percent == 100 and part < whole else str(percent)


def _counted(grades: Grades) -> str:
    """How many rows have which remark, or nothing."""
    counts = {"late": sum(row.seconds_late > 0 for row in grades.rows), "see note": sum(bool(row.outcome.notes) for row in grades.rows)}
    return ", ".join(f"{remark}: {count} of {len(grades.rows)}" for remark, count in counts.items() if count)


def _remark(row: GradeRow) -> str:
    remarks = [f"late by {duration(row.seconds_late)}"] if row.seconds_late > 0 else []
    return ", ".join(remarks + (["see note"] if row.outcome.notes else []))


def duration(seconds: float) -> str:
    """Seconds in words."""
    if seconds < 60:
        return f"{max(1, seconds):.0f} s"  # somebody was late, and never by nothing
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 48 * 3600 else f"{seconds / 86400:.0f} days"
