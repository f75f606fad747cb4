"""Hand-ins in nbgrader's exchange, fetched by nbgrader's own collect: one that it stumbles over never stops the rest."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from dateutil.parser import ParserError
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError
from nbgrader.utils import parse_utc
from traitlets.config import Config

from nbjudge._common.signals import pause
from nbjudge._course.course import Course
from nbjudge._lms.archives import Left
from nbjudge._lms.hand_ins import HandIn
from nbjudge._lms.names import Origin
from nbjudge._lms.people import ClassList
from nbjudge._lms.placing import files_in, time_of
from nbjudge._nbgrader.exchange_collect import CollectOwn
from nbjudge._wire.errors import CannotGrade

EXCHANGE = "exchange"
NEXT = "look at it, and collect again"


@dataclass(frozen=True)
class Named:
    """A hand-in in the exchange by the name of its folder: `STUDENT+ASSIGNMENT+TIME+RANDOM`."""

    folder: Path
    student: str
    assignment: str


def find_inbound(source: Path, course_id: str) -> Path | None:
    """The folder of hand-ins in an exchange: FROM itself, `FROM/inbound`, or `FROM/COURSE/inbound`; None where FROM is no exchange.

    Raises:
        CannotGrade: it is one, without this course.
    """
    if not source.is_dir():
        return None
    for folder in (source, source / "inbound", source / course_id / "inbound"):
        if (folder.name == "inbound" and folder.is_dir()) or any(_named(path) for path in _folders(folder)):
            return folder
    if others := sorted(path.parent.name for path in source.glob("*/inbound") if path.is_dir()):
        raise CannotGrade(
            f"the exchange has the courses {', '.join(others)}, and not {course_id}",
            f"collect one of them: FROM={source}/COURSE, or set c.CourseDirectory.course_id",
        )
    return None


def fetch(course: Course, inbound: Path, people: ClassList, chosen: str, into: Path) -> tuple[list[tuple[HandIn, Path]], list[Left]]:
    """Have nbgrader collect the latest hand-in of each student, into folders of ours.

    Args:
        inbound: the exchange's folder of hand-ins.
        chosen: the only assignment to fetch, "" for all.
        into: an empty folder of ours.

    Returns:
        Each hand-in with its folder, and what was not fetched.

    Raises:
        CannotGrade: nbgrader refuses the exchange.
    """
    left: list[Left] = []
    every: dict[str, list[Named]] = {}
    for path in _folders(inbound):
        if (named := _named(path)) is None:
            left.append(Left(path.name, "its name is not STUDENT+ASSIGNMENT+TIME as nbgrader writes it", NEXT))
        elif named.assignment not in course.lessons:
            left.append(Left(path.name, f"the course has no assignment {named.assignment}", "look whether source/ has it under another name"))
        elif not chosen or named.assignment == chosen:
            every.setdefault(named.assignment, []).append(named)
    root = into / "root" / "course"
    root.mkdir(parents=True)
    (root / "inbound").symlink_to(inbound.resolve())
    fetched: list[tuple[HandIn, Path]] = []
    for assignment, own in sorted(every.items()):
        fetched += _fetch(course, assignment, own, people, into, left)
    return fetched, left


def _fetch(course: Course, assignment: str, every: list[Named], people: ClassList, into: Path, left: list[Left]) -> list[tuple[HandIn, Path]]:
    config = Config(course.config)
    config.merge(
        Config(
            {
                "CourseDirectory": {
                    "root": str(course.root),
                    "course_id": "course",
                    "submitted_directory": str(into / "submitted"),
                    "assignment_id": assignment,
                    "student_id": "*",
                },
                "Exchange": {"root": str(into / "root")},
            }
        )
    )
    config.ExchangeCollect.update = True
    log, warned = logging.Logger("nbgrader"), _Warned()
    log.addHandler(warned)
    collect = CollectOwn(coursedir=CourseDirectory(config=config), config=config, log=log)
    try:
        collect.init_src()
    except ExchangeError as error:
        raise CannotGrade(f"nbgrader cannot collect from the exchange: {error}", "mend that, then type the same command again") from error
    own = [named for named in every if named.folder.name not in collect.refused]
    left += [Left(named.folder.name, collect.refused[named.folder.name], NEXT) for named in every if named not in own]
    counts = Counter(named.student for named in own)
    fetched = []
    for record in sorted(collect.src_records, key=lambda record: str(record["filename"])):
        pause()
        student = record["username"]
        whose = people.whose(Origin(EXCHANGE, "", (student,), PurePosixPath()))
        if whose.why:
            left.append(Left(record["filename"], whose.why, whose.next_step or NEXT))
            continue
        collect.src_records, warned.said = [record], []
        try:
            collect.copy_files()
        except (RuntimeError, OSError, ExchangeError) as error:
            collect.refused[record["filename"]] = f"nbgrader cannot copy it: {error}"
        if why := collect.refused.get(record["filename"]):
            left.append(Left(record["filename"], why[:300], NEXT))
            continue
        made = into / "submitted" / student / assignment
        handin = HandIn(assignment, whose.student, student, EXCHANGE, files=files_in(made), time=time_of(made), is_new_name=whose.is_stranger)
        if counts[student] > 1:
            handin.remarks.append(f"handed in {counts[student]} times: the latest counts, the others stay in the exchange")
        handin.remarks += warned.said
        fetched.append((handin, made))
    return fetched


class _Warned(logging.Handler):
    """Keeps what collecting warns of, such as a link in a hand-in."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(" ".join(record.getMessage().split()))


def _folders(folder: Path) -> Iterable[Path]:
    try:
        return [
            Path(entry.path)
            for entry in sorted(os.scandir(folder), key=lambda entry: entry.name)
            if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
        ]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise CannotGrade(f"{folder} cannot be read ({error.strerror})", "mend its permissions, then type the same command again") from error


def _named(path: Path) -> Named | None:
    parts = path.name.rsplit("+", 3)  # as nbgrader reads it
    if len(parts) < 3:
        return None
    if len(parts) == 4 and not _is_time(parts[2]) and _is_time(parts[3]):
        return None  # a `+` in a student's name, and no random part: nbgrader would misread it
    try:
        parse_utc(parts[2])
    except (ValueError, ParserError, OverflowError):
        return None
    return Named(path, parts[0], parts[1])


def _is_time(text: str) -> bool:
    try:
        parse_utc(text)
    except (ValueError, ParserError, OverflowError):
        return False
    return True
