"""What the instructor sees in the terminal at the end: a table of students, or of questions where students are many, and the list of troubles."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from nbjudge._common.settings import Report
from nbjudge._common.terminal_text import NAME, plural, say, shown
from nbjudge._course.outcomes import Outcome, Status
from nbjudge._nbgrader.feedback import in_points, number
from nbjudge._report.csv_files import GradeRow, Grades
from nbjudge._report.model import PointsChange, in_order, is_rated

FEW = 3  # places that are told by name
MOST_STUDENTS = 40  # in a table with a line for each
LEAST = 12  # letters of a name that a narrow column holds at least
MEND = "mend the test in source/ (`nbjudge check` says more) and grade again; or give the points by hand, in the formgrader or by question"
MEASURED = 10_000  # columns of a terminal that would hold every table
ALL, NOTHING = "all assignments", "–"
Reason = TypeVar("Reason", bound=Hashable)


def print_report(console: Console, grades: list[Grades], outcomes: list[Outcome], settings: Report | None = None) -> None:
    """Print a table per assignment, then what could not be graded and why, what to know besides, what is the instructor's, the counts.

    A table has a line for each student, or for each question where there are more than `MOST_STUDENTS`. Several assignments have their sums in
    a table of their own. What is not graded yet counts neither as 0 nor among the points that there are to be had.
    """
    grades = sorted(grades, key=lambda one: in_order(one.assignment))
    for assignment in grades:
        is_large = len(assignment.rows) > MOST_STUDENTS
        table = (_table_of_questions if is_large else _table_of_students)(console, assignment, settings or Report())
        console.print(table, soft_wrap=not console.is_terminal)
        for remarks in filter(None, [_counted(assignment) if is_large else _waiting_for(assignment, settings or Report())]):
            say(console, remarks)
    if len(grades) > 1 and not any(len(assignment.rows) > MOST_STUDENTS for assignment in grades):
        console.print(_table_of_sums(console, grades), soft_wrap=not console.is_terminal)
    troubles = [((outcome.why, outcome.next_step), outcome.where) for outcome in outcomes if outcome.status is Status.NOT_GRADED]
    _tell(console, "Not graded", troubles, lambda reason: f"{shown(reason[0])}.\n      Next: {shown(reason[1])}.")
    notes = [(note, outcome.where) for outcome in outcomes for note in outcome.notes if outcome.status is not Status.NOT_GRADED]
    _tell(console, "Graded, with a note", notes, lambda note: f"{shown(note)}.")
    _tell_broken(console, outcomes, settings or Report())
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


def _tell_broken(console: Console, outcomes: Iterable[Outcome], settings: Report) -> None:
    """Print each test cell that could not judge once, with why and for how many."""
    waiting: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for outcome in sorted(outcomes, key=lambda outcome: (in_order(outcome.assignment), outcome.student)):
        for test in outcome.broken_tests:
            waiting.setdefault((outcome.assignment, test.grade_id), []).append((outcome.student or outcome.where, test.message))
    if waiting:
        console.print("\n[bold]To be looked at: tests that could not judge, through no fault of a student[/bold]")
    for (assignment, name), told in waiting.items():
        [(most_common, _), *others] = Counter(why for _, why in told).most_common()
        reason = shown(most_common.rstrip(".")) + (f" (and {plural(len(others), 'other reason')})" if others else "")
        called = f"{shown(assignment)}/{shown(settings.readable.get(name, name))}"
        say(console, f"  {called}, {plural(len(told), 'student')} ({by_name([student for student, _ in told])}): {reason}.")
    if waiting:
        say(console, f"      Next: {MEND}.")


def by_name(places: Sequence[str]) -> str:
    """The first few places, and how many there are where they are more."""
    return ", ".join(map(shown, places[:FEW])) + (f" and {len(places) - FEW} more ({len(places)} in all)" if len(places) > FEW else "")


@dataclass(frozen=True)
class _Sum:
    """Points that count, with what they are out of, and the points of what nobody has graded yet. What waits is in neither of the first two."""

    points: float
    of: float
    waiting: float

    @property
    def told(self) -> str:
        return f"{number(self.points)} of {number(self.of)}" if self.of or not self.waiting else NOTHING

    @property
    def told_waiting(self) -> str:
        return number(self.waiting) if self.waiting else ""


def _sum_of(row: GradeRow, questions: Mapping[str, float]) -> _Sum:
    known = {question: points for question, points in row.points.items() if points is not None}
    waiting = math.fsum(questions[question] for question, points in row.points.items() if points is None)
    return _Sum(max(0.0, math.fsum(known.values()) - row.penalty), math.fsum(questions[question] for question in known), waiting)


def _all_of(sums: Iterable[_Sum]) -> _Sum:
    every = list(sums)
    return _Sum(*(math.fsum(getattr(one, name) for one in every) for name in ("points", "of", "waiting")))


def _mean_of(sums: Sequence[_Sum]) -> str:
    """Points and what they are out of, for one student on average; of those who have any."""
    known = [one for one in sums if one.of]
    whole = _all_of(known)
    return f"{whole.points / len(known):.1f} of {number(round(whole.of / len(known), 1))}" if known else NOTHING


def _table_of_students(console: Console, grades: Grades, settings: Report) -> Table:
    """One line per student: with a column for each question where all of them fit, else with the sum and the questions to look at."""
    wide = _questions_across(grades, settings)
    return wide if _fits(console, wide) else _questions_in_words(console, grades, settings)


def _questions_across(grades: Grades, settings: Report) -> Table:
    """See `Report` for questions that share a column."""
    columns: dict[str, list[str]] = {}
    for question in grades.questions:
        heading = settings.column_of(question)
        columns.setdefault(_heading(_name(question, settings)) if heading is None else shown(heading), []).append(question)
    sums = [_sum_of(row, grades.questions) for row in grades.rows]
    remarks = [_remark(row) for row in grades.rows]
    table = _empty(grades.assignment)
    table.add_column("student", overflow="fold")
    for heading, questions in columns.items():
        table.add_column(Text(f"{heading}\n/ {number(sum(grades.questions[question] for question in questions))}"), justify="right")
    table.add_column("sum", justify="right", style="bold")
    _waiting_column(table, sums)
    if any(remarks):
        table.add_column("remark")
    for row, sum_, remark in zip(grades.rows, sums, remarks):
        cells = [NOTHING if (points := _points_in(row, questions)) is None else number(points) for questions in columns.values()]
        _add(table, [shown(row.student, NAME), *cells, sum_.told], sum_, sums, *([remark] if any(remarks) else []))
    if len(grades.rows) > 1:
        table.add_section()
        means = [_mean([_points_in(row, questions) for row in grades.rows]) for questions in columns.values()]
        table.add_row("mean", *means, _mean_of(sums))
    return table


def _questions_in_words(console: Console, grades: Grades, settings: Report) -> Table:
    sums = [_sum_of(row, grades.questions) for row in grades.rows]
    table = _empty(grades.assignment)
    table.add_column("student", overflow="fold", max_width=max(LEAST, console.width // 3))
    table.add_column("sum", justify="right", style="bold", no_wrap=True)
    _waiting_column(table, sums)
    table.add_column("what needs a look", overflow="fold")
    for row, sum_ in zip(grades.rows, sums):
        _add(table, [shown(row.student, NAME), sum_.told], sum_, sums, _look(row, grades, settings))
    if len(grades.rows) > 1:
        table.add_section()
        table.add_row("mean", _mean_of(sums))
    return table


def _look(row: GradeRow, grades: Grades, settings: Report) -> str:
    """In words where points are missing, and what there is to know."""

    def listed(questions: Iterable[str]) -> str:
        return _listed(questions, settings)

    most = {question: most for question, most in grades.questions.items() if most > 0 and question not in row.absent}
    known = {question: points for question in most if (points := row.points[question]) is not None}
    none = [question for question, points in known.items() if points <= 0]
    parts = []
    if none and len(none) == len(known):
        parts.append("no points at any question")
    elif none:
        parts.append(f"no points at {listed(none)}")
    parts += [
        f"{number(points)} of {number(most[question])} at {listed([question])}" for question, points in known.items() if 0 < points < most[question]
    ]
    if row.absent:
        parts.append(f"not handed in: {listed(question for question in grades.questions if question in row.absent)}")
    return "; ".join(filter(None, [*parts, _remark(row)]))


def _table_of_sums(console: Console, grades: list[Grades]) -> Table:
    """One line per student with the sums of all assignments: with a column for each where all of them fit, else with those to look at."""
    held: dict[str, dict[str, _Sum]] = {}
    for one in grades:
        for row in one.rows:
            held.setdefault(row.student, {})[one.assignment] = _sum_of(row, one.questions)
    everybody = sorted(held.items())
    wholes = [_all_of(sums.values()) for _, sums in everybody]
    wide, narrow = _empty(ALL), _empty(ALL)
    wide.add_column("student", overflow="fold")
    narrow.add_column("student", overflow="fold", max_width=max(LEAST, console.width // 3))
    for one in grades:
        wide.add_column(Text(f"{_heading(shown(one.assignment))}\n/ {number(sum(one.questions.values()))}"), justify="right")
    narrow.add_column("handed\nin", justify="right")
    for table in (wide, narrow):
        table.add_column("sum", justify="right", style="bold", no_wrap=True)
        _waiting_column(table, wholes)
    narrow.add_column("less than half at", overflow="fold")
    for (student, sums), whole in zip(everybody, wholes):
        name = shown(student, NAME)
        cells = [
            (sums[one.assignment].told if sums[one.assignment].waiting else number(sums[one.assignment].points)) if one.assignment in sums else ""
            for one in grades
        ]
        _add(wide, [name, *cells, whole.told], whole, wholes)
        few = [shown(assignment, NAME).replace("_", " ") for assignment, one in sums.items() if 2 * one.points < one.of]
        _add(narrow, [name, str(len(sums)), whole.told], whole, wholes, ", ".join(few) if len(few) < len(sums) or len(few) < FEW else "all of them")
    return wide if _fits(console, wide) else narrow


def _waiting_column(table: Table, sums: Iterable[_Sum]) -> None:
    if any(one.waiting for one in sums):
        table.add_column("points\nnot yet\ngraded", justify="right")


def _add(table: Table, cells: list[str], sum_: _Sum, sums: Iterable[_Sum], *after: str) -> None:
    """A row, with the cell that `_waiting_column` made a column for."""
    waiting = [sum_.told_waiting] if any(one.waiting for one in sums) else []
    table.add_row(*map(Text, [*cells, *waiting, *after]))


def _table_of_questions(console: Console, grades: Grades, settings: Report) -> Table:
    """One line per question: how many handed it in, and how those did that have points by now. Some shares are left out where there is no room."""
    mean = _mean_of([_sum_of(row, grades.questions) for row in grades.rows])
    title = f"{grades.assignment}: {plural(len(grades.rows), 'student')}, mean {mean} graded points"
    wide, narrow = _empty(title), _empty(title)
    for table in (wide, narrow):
        table.add_column("question", overflow="fold", max_width=max(LEAST, console.width // 4))
    for heading in ("points", "handed\nin", "mean\n%", "none\n%", "some\n%", "full\n%", "to grade\nby hand"):
        wide.add_column(heading, justify="right")
        if heading not in ("none\n%", "some\n%", "full\n%"):
            narrow.add_column(heading, justify="right")
    for question, most in grades.questions.items():
        handed_in = [row.points[question] for row in grades.rows if question not in row.absent]
        known = [points for points in handed_in if points is not None]
        none, full = sum(points <= 0 for points in known), sum(points >= most for points in known)
        shares = [(sum(known), len(known) * most), *((count, len(known)) for count in (none, len(known) - none - full, full))]
        is_known = most > 0 and is_rated(len(handed_in), len(handed_in) - len(known))  # there are no shares of a question without points
        mean, *others = [_percent(part, whole) if is_known else NOTHING for part, whole in shares]
        first, last = [_name(question, settings), number(most), str(len(handed_in)), mean], str(len(handed_in) - len(known))
        wide.add_row(*map(Text, [*first, *others, last]))
        narrow.add_row(*map(Text, [*first, last]))
    return wide if _fits(console, wide) else narrow


def _fits(console: Console, table: Table) -> bool:
    return Measurement.get(console, console.options.update_width(MEASURED), table).maximum <= console.width


def _empty(title: str) -> Table:
    return Table(title=Text(shown(title)), title_justify="left", header_style="bold")


def _name(question: str, settings: Report) -> str:
    return shown(settings.name_of(question))


def _heading(name: str) -> str:
    """A name as a narrow heading: one line per word."""
    return name.replace("_", "\n")


def _points_in(row: GradeRow, questions: Iterable[str]) -> float | None:
    known = [points for question in questions if (points := row.points[question]) is not None]
    return math.fsum(known) if known else None


def _mean(held: Sequence[float | None]) -> str:
    known = [points for points in held if points is not None]
    return f"{math.fsum(known) / len(known):.1f}" if known and is_rated(len(held), len(held) - len(known)) else NOTHING


def _listed(questions: Iterable[str], settings: Report) -> str:
    return ", ".join(_name(question, settings).replace("_", " ") for question in questions)


def _waiting_for(grades: Grades, settings: Report) -> str:
    """Which questions have answers that are not graded yet, and how many; or nothing."""
    counts = {question: sum(row.points[question] is None for row in grades.rows) for question in grades.questions}
    told = [f"{plural(count, 'answer')} to {_listed([question], settings)}" for question, count in counts.items() if count]
    return f"not graded yet: {', '.join(told)}" if told else ""


def _percent(part: float, whole: float) -> str:
    """A share as a whole number that is 0 or 100 only where it is none or all."""
    if whole <= 0:
        return NOTHING
    percent = round(100 * part / whole)
    return "<1" if percent == 0 and part > 0 else ">99" if percent == 100 and part < whole else str(percent)


def _counted(grades: Grades) -> str:
    """How many rows have which remark, or nothing."""
    counts = {"late": sum(row.seconds_late > 0 for row in grades.rows), "see note": sum(bool(row.outcome.notes) for row in grades.rows)}
    return ", ".join(f"{remark}: {count} of {len(grades.rows)}" for remark, count in counts.items() if count)


def _remark(row: GradeRow) -> str:
    remarks = [f"late by {duration(row.seconds_late)}"] if row.seconds_late > 0 else []
    remarks += [f"{in_points(row.penalty)} taken off"] if row.penalty else []
    return ", ".join(remarks + (["see note"] if row.outcome.notes else []))


def duration(seconds: float) -> str:
    """Seconds in words."""
    if seconds < 60:
        return f"{max(1, seconds):.0f} s"  # somebody was late, and never by nothing
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 48 * 3600 else f"{seconds / 86400:.0f} days"
