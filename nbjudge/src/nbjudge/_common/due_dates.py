"""When things are due, what being late costs, and who has more time: `dates.csv` in the course's folder."""

from __future__ import annotations

import difflib
import re
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from traitlets.config import Config

from nbjudge._common.csv_tables import Table, TableRow, read_table
from nbjudge._common.late_rules import KNOWN, LateRule, is_part_of_rule, parse_rule
from nbjudge._common.roster import CLASS, Roster
from nbjudge._wire.errors import CannotGrade

DATES = "dates.csv"
ALIASES = {
    "assignment": ("assignment", "lesson", "name"),
    "due": ("due", "due date", "deadline", "due at"),
    "late": ("late", "late rule", "penalty", "late penalty"),
    "student": ("student", "id", "student id", "username"),
    "group": ("group", "section", "team"),
}
LAST_MOMENT = (23, 59, 59)  # of a day that is named without a time
TIME = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.\d+)?)?(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?"
CLOCK = rf"(?:[T ,]+{TIME})?(?: ?(?P<zone>Z|UTC|[+-]\d{{2}}:?\d{{2}}))?"
WRITTEN = [
    re.compile(pattern + CLOCK)
    for pattern in (
        r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})",
        r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})",
        r"(?P<one>\d{1,2})/(?P<other>\d{1,2})/(?P<year>\d{4})",
    )
]
FORM = "Write it as 2026-05-31 or 2026-05-31 18:00"


@dataclass(frozen=True)
class Due:
    """What `dates.csv` says of an assignment: when it is due, in UTC, and what being late costs; None where nbgrader's own settings decide."""

    assignment: str
    at: datetime
    rule: LateRule | None = None
    line: int = 0


@dataclass(frozen=True)
class Dates:
    """`dates.csv`. All times are in UTC, with their zone.

    Attributes:
        due: by assignment.
        extensions: when an assignment is due for a student who has more time, by assignment and student.
        zone: in which the file is written, and `zone_name` what people call it.
        strangers: students of extensions, with their lines, of whom nothing here says whether they exist: there is no `class.csv`.
    """

    due: Mapping[str, Due]
    extensions: Mapping[tuple[str, str], datetime]
    zone: tzinfo | None = None
    zone_name: str = "UTC"
    strangers: Mapping[str, int] = field(default_factory=dict)

    def due_at(self, assignment: str, student: str = "") -> datetime | None:
        """When an assignment is due, for a student or for all; None where that is not said."""
        if (own := self.extensions.get((assignment, student))) is not None:
            return own
        return self.due[assignment].at if assignment in self.due else None

    def is_due(self, assignment: str, student: str = "", now: datetime | None = None) -> bool:
        """Whether it should have been handed in by now. Where no date is said, it should."""
        at = self.due_at(assignment, student)
        return at is None or at < (now or datetime.now(UTC))

    def rule(self, assignment: str) -> LateRule | None:
        """What being late costs; None where `dates.csv` does not say."""
        return self.due[assignment].rule if assignment in self.due else None

    def shown(self, at: datetime) -> str:
        """A moment as the file's zone has it: `2026-05-31 18:00`."""
        return f"{at.astimezone(self.zone):%Y-%m-%d %H:%M}"


def zone_of(config: Config) -> tuple[tzinfo | None, str]:
    """The time zone of a course, and what it is called: `c.Exchange.timezone`, else the machine's, which is None.

    Raises:
        CannotGrade: there is no such zone.
    """
    chosen = config.Exchange.get("timezone", "") if "Exchange" in config else ""
    if not chosen:
        return None, "/".join(dict.fromkeys(time.tzname))
    try:
        return ZoneInfo(str(chosen)), str(chosen)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise CannotGrade(f"c.Exchange.timezone in nbgrader_config.py is no time zone ({chosen})", "write one such as Europe/Berlin") from error


def read_dates(root: Path, config: Config, assignments: Collection[str], roster: Roster | None) -> Dates | None:
    """What `dates.csv` in a course's folder says; None where there is no such file.

    Args:
        config: of the course.
        assignments: what the course has.
        roster: the class, None where there is no `class.csv`.

    Raises:
        CannotGrade: a line of it is wrong; all that is wrong is told, each with its line.
    """
    path = root / DATES
    if not path.exists() and not path.is_symlink():
        return None
    table = read_table(path, ALIASES)
    for column in ("assignment", "due"):
        if column not in table.columns:
            raise CannotGrade(
                f"{DATES} has no column {column}", "write a header: assignment,due,late,student. The columns late and student may be missing"
            )
    return _Reader(table, assignments, roster, *zone_of(config)).read()


class _Reader:
    """Reads the rows of one `dates.csv`."""

    def __init__(self, table: Table, assignments: Collection[str], roster: Roster | None, zone: tzinfo | None, zone_name: str):
        self._table, self._assignments, self._roster = table, assignments, roster
        self._zone, self._zone_name = zone, zone_name
        self._due: dict[str, Due] = {}
        self._has_row: set[str] = set()  # assignments with a row for all, right or wrong
        self._strangers: dict[str, int] = {}

    def read(self) -> Dates:
        """All of it. Raises as `read_dates`."""
        rows = [(row, name) for row in self._table.rows if (name := self._assignment(row))]
        for row, name in rows:
            if not row["student"] and not row["group"]:
                self._add_due(row, name)
        extensions: dict[tuple[str, str], datetime] = {}
        for column in ("group", "student"):  # a student's own row counts more than the group's
            lines: dict[tuple[str, str], int] = {}
            for row, name in rows:
                if row[column] and (column == "student" or not row["student"]):
                    self._add_extension(row, name, self._students(row, column), extensions, lines)
        self._table.require_right()
        return Dates(self._due, extensions, self._zone, self._zone_name, self._strangers)

    def _assignment(self, row: TableRow) -> str:
        asked = row["assignment"]
        found = [name for name in self._assignments if name.casefold() == asked.casefold()]
        if asked in self._assignments or len(found) == 1:
            return asked if asked in self._assignments else found[0]
        near = difflib.get_close_matches(asked, list(self._assignments), 1)
        hint = f". Did you mean {near[0]}?" if near else f". It has {', '.join(sorted(self._assignments))}"
        self._table.refuse(row, f"the course has no assignment {asked[:60]}{hint}" if asked else "no assignment is named")
        return ""

    def _add_due(self, row: TableRow, name: str) -> None:
        if name in self._due:
            self._table.refuse(row, f"{name} has a due date in line {self._due[name].line}. For one student write the id into the column student")
            return
        self._has_row.add(name)
        if not row["due"]:
            if row["late"]:
                self._table.refuse(row, f"{name} has a late rule, and no due date")
            return
        at, rule = self._moment(row), self._rule(row)
        if at is not None:
            self._due[name] = Due(name, at, rule, row.line)

    def _add_extension(
        self, row: TableRow, name: str, students: tuple[str, ...], extensions: dict[tuple[str, str], datetime], lines: dict[tuple[str, str], int]
    ) -> None:
        if is_part_of_rule(row["student"]):
            self._table.refuse(row, 'a late rule with a comma needs quotes: "10% a day, at most 50%"')
            return
        if row["late"]:
            self._table.refuse(row, "a late rule is for all. Leave it empty in the row of a student, or of a group")
        if (at := self._moment(row)) is None:
            return
        if name not in self._due:
            if name not in self._has_row:
                self._table.refuse(row, f"{name} has no due date for all: a row without a student is missing")
            return
        if at <= self._due[name].at:
            self._table.refuse(row, f"this is not later than {name} is due for all (line {self._due[name].line})")
            return
        for student in students:
            if (before := lines.setdefault((name, student), row.line)) != row.line:
                self._table.refuse(row, f"{student} has another due date for {name} in line {before}")
            extensions[name, student] = at

    def _students(self, row: TableRow, column: str) -> tuple[str, ...]:
        asked = row[column]
        if self._roster is None:
            if column == "group":
                self._table.refuse(row, f"a group needs {CLASS}, which says who is in it")
                return ()
            self._strangers[asked] = row.line
            return (asked,)
        if column == "group":
            found = next((ids for name, ids in self._roster.groups.items() if name.casefold() == asked.casefold()), ())
            if not found:
                known = ", ".join(self._roster.groups) or "none"
                self._table.refuse(row, f"{CLASS} has no group {asked[:60]} (it has {known})")
            return found
        if student := self._roster.meant(asked):
            return (student,)
        if is_part_of_rule(asked):
            return ()  # told elsewhere
        near = self._roster.near(asked)
        self._table.refuse(row, f"nobody in {CLASS} has the id or the address {asked[:60]}" + (f". Did you mean {near}?" if near else ""))
        return ()

    def _rule(self, row: TableRow) -> LateRule | None:
        if not row["late"]:
            return None
        try:
            return parse_rule(row["late"])
        except ValueError as error:
            self._table.refuse(row, f"late rule: {error}. These are known:\n    " + KNOWN.replace("\n", "\n    "))
            return None

    def _moment(self, row: TableRow) -> datetime | None:
        try:
            return moment(row["due"], self._zone)
        except ValueError as error:
            self._table.refuse(row, str(error))
            return None


def moment(text: str, zone: tzinfo | None) -> datetime:
    """The moment, in UTC, that a date means; without a time, the last second of that day.

    Args:
        zone: in which it is meant where it does not say so; None for the machine's.

    Raises:
        ValueError: it is no date, or may be several; the message says what to write.
    """
    match = next((fits for pattern in WRITTEN if (fits := pattern.fullmatch(text))), None)
    if match is None:
        raise ValueError(f"{text[:40]} is no date that can be told. {FORM}" if text else f"the due date is empty. {FORM}")
    parts = match.groupdict()
    year = int(parts["year"])
    month, day = _month_and_day(text, year, parts)
    try:
        date(year, month, day)
    except ValueError:
        raise ValueError(f"there is no day {text[:40]}. {FORM}") from None
    if not 2000 <= year <= 2100:
        raise ValueError(f"the year of {text[:40]} cannot be. {FORM}")
    hour, minute, second = LAST_MOMENT
    if parts["hour"]:
        hour, minute, second = int(parts["hour"]), int(parts["minute"]), int(parts["second"] or 0)
        if parts["half"]:
            if not 1 <= hour <= 12:
                raise ValueError(f"there is no time {text[:40]}. {FORM}")
            hour = hour % 12 + (12 if parts["half"].lower() == "p" else 0)
    try:
        naive = datetime(year, month, day, hour, minute, second)
    except ValueError:
        raise ValueError(f"there is no time {text[:40]}. {FORM}; the end of a day is the date alone, or 23:59") from None
    if parts["zone"]:
        return naive.replace(tzinfo=_offset(parts["zone"])).astimezone(UTC)
    found = (naive.replace(tzinfo=zone) if zone else naive).astimezone(UTC)
    if found.astimezone(zone).replace(tzinfo=None) != naive:
        raise ValueError(f"there is no time {text[:40]}: clocks were put forward in that hour. Write another time")
    return found


def without_zone(at: datetime) -> datetime:
    """A moment as nbgrader keeps it: in UTC, without saying so."""
    return at.astimezone(UTC).replace(tzinfo=None)


def _month_and_day(text: str, year: int, parts: Mapping[str, str | None]) -> tuple[int, int]:
    if parts.get("month"):
        return int(parts["month"] or 0), int(parts["day"] or 0)
    one, other = int(parts["one"] or 0), int(parts["other"] or 0)
    if one <= 12 and other <= 12 and one != other:
        raise ValueError(f"{text[:40]} may be {year}-{one:02}-{other:02} or {year}-{other:02}-{one:02}. Write the one that you mean")
    return (one, other) if one <= 12 else (other, one)


def _offset(text: str) -> tzinfo:
    if text in ("Z", "UTC"):
        return UTC
    return datetime.strptime(text, "%z").tzinfo or UTC
