"""What is kept of each hand-in that was collected: where it came from, and under which names its platform knows it."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath

from examiner.classroom.course import Course
from examiner.platforms.archives import Stamp
from examiner.wire.errors import CannotGrade

COLLECTED, LEDGER, EARLIER = "collected", "collected.json", "earlier"
NO_CONTENT = {"timestamp.txt", "submission_secret.txt"}  # of a hand-in's folder: what nbgrader writes beside


@dataclass
class Kept:
    """What is kept of a student's latest hand-in. `digest` is its content's, `before` those of the ones that it replaced; see `HandIn`."""

    digest: str
    platform: str
    prefix: str = ""
    number: str = ""
    uploads: dict[str, tuple[int, str]] = field(default_factory=dict)
    at: Stamp | None = None
    upload: int = 0
    marked_late: bool = False
    before: list[str] = field(default_factory=list)


class Ledger:
    """What is kept of one assignment, by student.

    Raises:
        CannotGrade: the file is there and no such list.
    """

    def __init__(self, course: Course, assignment: str):
        self.folder = course.root / COLLECTED / assignment
        self.students: dict[str, Kept] = {}
        try:
            for student, about in json.loads((self.folder / LEDGER).read_text(encoding="utf-8")).items():
                about["at"] = tuple(about["at"]) if about["at"] else None
                about["uploads"] = {name: (number, file) for name, (number, file) in about["uploads"].items()}
                self.students[student] = Kept(**about)
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise CannotGrade(f"{self.folder / LEDGER} cannot be read ({error})", "move it elsewhere, then collect again: it is made anew") from error

    def write(self) -> None:
        """Write it as a whole."""
        self.folder.mkdir(parents=True, exist_ok=True)
        fresh = self.folder / f".{LEDGER}.{os.getpid()}"
        try:
            text = json.dumps({student: asdict(kept) for student, kept in sorted(self.students.items())}, ensure_ascii=True, indent=1)
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(self.folder / LEDGER)
        finally:
            fresh.unlink(missing_ok=True)


def digest(files: Mapping[PurePosixPath, Path]) -> str:
    """What is handed in, as a short text: the same for the same files in the same places."""
    whole = hashlib.sha256()
    for path in sorted(files):
        if str(path) not in NO_CONTENT:
            with files[path].open("rb") as file:
                content = hashlib.file_digest(file, "sha256").digest()
            whole.update(str(path).encode("utf-8", "surrogateescape") + b"\0" + content)
    return whole.hexdigest()


def files_in(folder: Path) -> dict[PurePosixPath, Path]:
    """The files of a hand-in's folder by their paths in it."""
    return {PurePosixPath(*path.relative_to(folder).parts): path for path in sorted(folder.rglob("*")) if path.is_file() or path.is_symlink()}


def later(one: datetime.datetime | None, other: datetime.datetime | None) -> bool | None:
    """Whether `one` is later; None where a time is not known or they are the same."""
    return None if one is None or other is None or one == other else one > other


def assignments_in(course: Course, wanted: Iterable[str]) -> dict[str, Ledger]:
    """The ledgers of assignments of which something was collected."""
    return {name: Ledger(course, name) for name in wanted if (course.root / COLLECTED / name / LEDGER).is_file()}
