"""Who is in the class, and whose a name in FROM is: told exactly, or not at all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Student

from nbjudge._common.csv_tables import read_rows
from nbjudge._common.roster import CLASS
from nbjudge._course.course import Course
from nbjudge._lms.names import CANVAS, Origin, safe_folder, squeezed
from nbjudge._wire.errors import CannotGrade

FORMGRADER = "in the formgrader (Manage Students)"
NAMES = "names.csv"  # in the course's folder: names as FROM writes them, and whose they are
WRITE_NAMES = "write a line `name,student` for it into names.csv, then type the same command again"


@dataclass(frozen=True)
class PersonFound:
    """The student of a name; or, where `student` is empty, why it is not known and what to do.

    `is_stranger`: no one of the class matches.
    """

    student: str
    why: str = ""
    next_step: str = ""
    is_stranger: bool = False


class ClassList:
    """The class as `class.csv` has it, else the gradebook, and the instructor's own `names.csv`.

    Args:
        students: id, first name, last name, email and number on the platform of each.
        names: whose a name is, by the name.
        is_listed: whether they are those of `class.csv`.
    """

    def __init__(self, students: Iterable[tuple[str, str, str, str, str]], names: dict[str, str] | None = None, is_listed: bool = False):
        self._place = f"to {CLASS}" if is_listed else FORMGRADER
        self.ids: dict[str, str] = {}
        self.numbers: dict[str, str] = {}
        self._names: dict[str, set[str]] = defaultdict(set)
        self._mapped = {_key(name): student for name, student in (names or {}).items()}
        self.is_closed = is_listed  # or the gradebook says more of somebody than an id: grading alone adds ids
        for student, first, last, email, number in students:
            self.ids[student] = number
            self.is_closed |= bool(first or last or email or number)
            for name in (student, email, f"{first} {last}", f"{last} {first}"):
                if squeezed(name):
                    self._names[squeezed(name)].add(student)
            if number:
                self.numbers[number] = student

    @classmethod
    def of(cls, course: Course, names: Path | None = None) -> ClassList:
        """The class of a course, read at once.

        Args:
            names: a file like `names.csv`, which has to be there; the course's own by default, which need not.

        Raises:
            CannotGrade: `names` cannot be read.
        """
        students: list[tuple[str, str, str, str, str]] = []
        if course.has_gradebook:
            with course.gradebook() as gradebook:
                columns = (Student.id, Student.first_name, Student.last_name, Student.email, Student.lms_user_id)
                students = [(row[0], row[1] or "", row[2] or "", row[3] or "", row[4] or "") for row in gradebook.db.query(*columns)]
        if course.roster is not None:
            known = {student[0]: student[4] for student in students}
            students = [(one.student, one.first_name, one.last_name, one.mail, one.number or known.get(one.student, "")) for one in course.roster]
        own = course.root / NAMES
        mapped = read_names(names) if names else read_names(own) if own.is_file() else {}
        return cls(sorted(students), mapped, is_listed=course.roster is not None)

    def add_folders(self, folders: Iterable[str]) -> None:
        """Where the class is not closed: students who handed in before keep the folder that they have."""
        for folder in folders:
            if not self.is_closed and folder not in self.ids:
                self.ids[folder] = ""
                self._names[squeezed(folder)].add(folder)

    def whose(self, origin: Origin, trusts_numbers: bool = False) -> PersonFound:
        """The student whose file it is.

        Args:
            origin: what the name of the file says.
            trusts_numbers: whether the gradebook's numbers are Canvas's: one of them is in FROM.
        """
        numbered = [origin.prefix, *(f"{name}_{origin.number}" for name in origin.who)] if origin.number else []
        for name in (*numbered, *origin.who, origin.stem):
            if (student := self._mapped.get(_key(name))) is not None:
                return self._require(student)
        by_number = self.numbers.get(origin.number) if origin.platform == CANVAS and origin.number else None
        matched = {student for name in origin.who for student in self._by_name(name)} or self._by_name(origin.stem)
        if by_number is not None:
            if matched and by_number not in matched:
                return PersonFound("", f"its number in Canvas is {by_number}'s, its name is {' or '.join(sorted(matched))}'s", WRITE_NAMES)
            return PersonFound(by_number)
        if trusts_numbers and origin.platform == CANVAS:
            matched = {student for student in matched if not self.ids[student]}
        if len(matched) > 1:
            return PersonFound("", f"it may be {' or '.join(sorted(matched))}'s", WRITE_NAMES)
        if matched:
            return self._require(matched.pop())
        named = next((name for name in (*origin.who, origin.stem) if squeezed(name)), "")
        if not named:
            return PersonFound("", "its name says nothing of whose it is", "put it into a folder with the student's name")
        if self.is_closed:
            return PersonFound("", "no one of that name is in the class", f"add the student {self._place}, or {WRITE_NAMES}", True)
        folder = safe_folder(named)
        return PersonFound(folder, is_stranger=True) if folder else PersonFound("", "its name cannot be a folder's", WRITE_NAMES)

    def is_written(self, *names: str) -> bool:
        """Whether the instructor wrote one of these very names into `names.csv`."""
        return any(_key(name) in self._mapped for name in names)

    def _by_name(self, name: str) -> set[str]:
        if name in self.ids:
            return {name}
        return set(self._names.get(squeezed(name), ())) if squeezed(name) else set()

    def _require(self, student: str) -> PersonFound:
        if safe_folder(student) != student and (set(student) & set("*?[]/\\\n\0") or student.startswith(".") or not student):
            return PersonFound("", f"it is {student}'s, and no folder can have that name", "give the student another id in the gradebook")
        return PersonFound(student)


def read_names(path: Path) -> dict[str, str]:
    """What a file of names says: `name,student` in each line.

    Raises:
        CannotGrade: it is no such file.
    """
    names: dict[str, str] = {}
    for place, (line, row) in enumerate(read_rows(path, ("name", "student"))):
        name, student = (row[0].strip(), row[1].strip()) if len(row) == 2 else ("", "")
        if not _key(name) or not student:
            raise CannotGrade(f"line {line} of {path} is not `name,student`", "mend that line, then type the same command again")
        if not place and (name.lower(), student.lower()) == ("name", "student"):
            continue
        if names.setdefault(name, student) != student:
            raise CannotGrade(f"{path} gives {name} to two students, {names[name]} and {student}", "mend one of the lines")
    return names


def _key(name: str) -> str:
    """A name in `names.csv`; an underscore before a number counts there, so that one of two students of a name can be meant."""
    head, _, number = name.rpartition("_")
    return f"{squeezed(head)}_{number}" if number.isdigit() and squeezed(head) else squeezed(name)
