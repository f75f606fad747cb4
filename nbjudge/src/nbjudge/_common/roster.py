"""Who is in the class: `class.csv` in the course's folder."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from nbjudge._common.csv_tables import Table, TableRow, read_table
from nbjudge._wire.errors import CannotGrade

CLASS = "class.csv"
LONGEST_ID = 100  # letters; nbgrader keeps 128
# Also what Moodle's list of participants and Canvas's and nbgrader's exports of grades call them.
ALIASES = {
    "id": ("id", "student id", "SIS Login ID", "username", "user name", "login", "login id"),
    "number": ("number", "Canvas ID", "LMS user id", "id number"),
    "name": ("name", "student", "full name", "student name"),
    "first name": ("first name", "given name", "forename"),
    "last name": ("last name", "surname", "family name"),
    "mail": ("mail", "email", "email address"),
    "group": ("group", "groups", "section", "team"),
}
CANVAS = {**ALIASES, "id": ("SIS Login ID",), "number": ("ID",)}  # in Canvas's export, `ID` is Canvas's own number
NO_FOLDER = set('*?[]/\\:<>|"')


@dataclass(frozen=True)
class Person:
    """A student. `student` is the id, and the folder in `submitted/`; `number` the platform's own (Canvas: ID, Moodle: ID number)."""

    student: str
    first_name: str = ""
    last_name: str = ""
    mail: str = ""
    group: str = ""
    number: str = ""
    line: int = 0

    @property
    def name(self) -> str:
        """ "First Last", or the id where there is no name."""
        return " ".join(filter(None, (self.first_name, self.last_name))) or self.student


@dataclass(frozen=True)
class Roster:
    """The class, in the order of the file. `others` are headings of the file that say nothing here."""

    people: tuple[Person, ...]
    others: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Person]:
        return iter(self.people)

    def __len__(self) -> int:
        return len(self.people)

    def __contains__(self, student: object) -> bool:
        return student in self.by_id

    @cached_property
    def by_id(self) -> dict[str, Person]:
        """Everybody by id."""
        return {person.student: person for person in self.people}

    @cached_property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """The ids of each group, in the order of the file; whoever has no group is in none."""
        names = dict.fromkeys(person.group for person in self.people if person.group)
        return {name: tuple(person.student for person in self.people if person.group == name) for name in names}

    def group_of(self, student: str) -> str:
        """The group of a student; "" where there is none."""
        return person.group if (person := self.by_id.get(student)) else ""

    def meant(self, text: str) -> str:
        """The id of whom an id or an address means; "" for nobody of the class."""
        if text in self.by_id:
            return text
        found = [person.student for person in self.people if text.casefold() in (person.student.casefold(), person.mail.casefold())]
        return found[0] if len(found) == 1 else ""

    def near(self, text: str) -> str:
        """An id much like `text`, for a question; "" where none is."""
        return next(iter(difflib.get_close_matches(text, list(self.by_id), 1, 0.75)), "")


def read_roster(root: Path) -> Roster | None:
    """The class as `class.csv` in a course's folder has it; None where there is no such file.

    Raises:
        CannotGrade: a line of it is wrong; all that is wrong is told, each with its line.
    """
    path = root / CLASS
    if not path.exists() and not path.is_symlink():
        return None
    table = read_table(path, ALIASES)
    if table.headings >= {"sisloginid", "student", "id"}:
        table = read_table(path, CANVAS)
    is_number = "id" not in table.columns and "number" in table.columns
    if is_number:
        table = read_table(path, {**ALIASES, "id": ALIASES["number"]})
    if "id" not in table.columns:
        raise CannotGrade(
            f"{CLASS} has no column id (or username, SIS Login ID, ID number)", "add one: it is what a student's folder in submitted/ is called"
        )
    people = [_person(table, row) for row in table.rows if not _is_none(row)]
    _refuse_doubles(table, people)
    if is_number:
        people = [replace(person, number=person.student) for person in people]
    table.require_right()
    if not people:
        raise CannotGrade(f"{CLASS} has a header and nobody below it", "write a line for each student, or delete the file")
    return Roster(tuple(people), table.others)


def _is_none(row: TableRow) -> bool:
    """Rows of Canvas's export that are nobody: the points possible, and the student that Canvas makes up for tests."""
    return row["name"].casefold() in ("points possible", "student, test") and not row["mail"]


def _person(table: Table, row: TableRow) -> Person:
    student = row["id"]
    if why := _why_no_id(student):
        table.refuse(row, why)
    if row["mail"] and not re.fullmatch(r"[^@\s]+@[^@\s]+", row["mail"]):
        table.refuse(row, f"{row['mail'][:60]} is no mail address")
    first, last = row["first name"], row["last name"]
    if not first and not last:
        first, last = _parts(row["name"])
    return Person(student, first, last, row["mail"], row["group"], row["number"], row.line)


def _parts(name: str) -> tuple[str, str]:
    """First and last name of "Last, First" or "First Last"; the last word is the last name."""
    if "," in name:
        last, first = name.split(",", 1)
        return first.strip(), last.strip()
    first, _, last = name.rpartition(" ")
    return first, last


def _why_no_id(student: str) -> str:
    if not student:
        return "the id is empty"
    if NO_FOLDER & set(student) or student.startswith(".") or len(student) > LONGEST_ID:
        return f"{student[:60]} cannot be the name of a folder in submitted/, which an id is"
    if re.fullmatch(r"\d(?:[.,]\d+)?E\+\d+", student, re.IGNORECASE):
        return f"{student} is a number that a spreadsheet program has shortened. Make the column a text there"
    return ""


def _refuse_doubles(table: Table, people: list[Person]) -> None:
    for what, keys in (("id", [person.student for person in people]), ("number", [person.number for person in people])):
        seen: dict[str, int] = {}
        for person, key in zip(people, keys, strict=True):
            if key and (before := seen.setdefault(key.casefold(), person.line)) != person.line:
                table.refuse(person.line, f"{what} {key[:60]} stands in line {before}, too")
