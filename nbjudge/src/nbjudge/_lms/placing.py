"""Put hand-ins into `submitted/`, each as a whole; never an earlier one over a later one. What is replaced is kept."""

from __future__ import annotations

import contextlib
import datetime
import fcntl
import hashlib
import json
import logging
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from pathlib import Path, PurePosixPath

from dateutil.parser import ParserError
from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import FileNameCollectorPlugin
from nbgrader.utils import parse_utc
from traitlets.config import Config

from nbjudge._course.course import Course
from nbjudge._lms.archives import Stamp
from nbjudge._lms.hand_ins import HandIn
from nbjudge._wire.errors import CannotGrade, OwnFailure

COLLECTED, LEDGER, EARLIER = "collected", "collected.json", "earlier"
NO_CONTENT = {"timestamp.txt", "submission_secret.txt"}  # of a hand-in's folder: what nbgrader writes beside


@dataclass
class KeptHandIn:
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
        self.students: dict[str, KeptHandIn] = {}
        try:
            for student, about in json.loads((self.folder / LEDGER).read_text(encoding="utf-8")).items():
                about["at"] = tuple(about["at"]) if about["at"] else None
                about["uploads"] = {name: (number, file) for name, (number, file) in about["uploads"].items()}
                self.students[student] = KeptHandIn(**about)
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


# How nbgrader's zip_collect reads what `lay_out` puts in front of it: whose each file is, and its path in the student's folder.
PATTERN = r"(?s).*/extracted/(?P<student_id>[^/]+)/(?P<file_id>.+)"
SECONDS_OF_ZIP = 2  # dates in zip files are that exact


class PlacingResult(Enum):
    """What became of a hand-in."""

    NEW = "new"
    SAME = "there already"
    LATER = "replaces an earlier one"
    EARLIER = "earlier than the one that is there"
    UNKNOWN = "not known to be later than the one that is there"


def lay_out(assignment: str, handins: list[HandIn], scratch: Path) -> Path:
    """Have nbgrader's own zip_collect make the folders of hand-ins; return the folder with the students' in it.

    Raises:
        OwnFailure: nbgrader stopped.
        OSError: for example, the disk is full.
    """
    extracted, submitted = scratch / "downloaded" / assignment / "extracted", scratch / "submitted"
    endings = {""}
    for handin in handins:
        for path, file in handin.files.items():
            target = extracted / handin.student / path
            target.parent.mkdir(parents=True, exist_ok=True)
            _link(file, target)
            endings.add(os.path.splitext(target)[1])
    folders = Config({"CourseDirectory": {"root": str(scratch), "submitted_directory": submitted.name, "assignment_id": assignment}})
    app = ZipCollectApp(log=_silent(), coursedir=CourseDirectory(config=folders), config=folders)
    app.collector_plugin_inst = FileNameCollectorPlugin(log=_silent(), named_regexp=PATTERN, valid_ext=sorted(endings))
    try:
        app.process_extracted_files()
    except SystemExit as stopped:
        raise OwnFailure(f"nbgrader's zip_collect stopped on {assignment}") from stopped
    shutil.rmtree(scratch / "downloaded")
    return submitted


def place(course: Course, handin: HandIn, made: Path, ledger: Ledger, scratch: Path, is_newer: bool = False) -> PlacingResult:
    """Put one hand-in into `submitted/`, if it belongs there, and write down where it came from.

    Args:
        made: the hand-in's folder, ready; it is moved.
        scratch: a folder of ours on the same disk.
        is_newer: the instructor says that it is the later one, where nothing tells.

    Raises:
        CannotGrade: something that is no hand-in lies in its place. It is as it was.
        OSError: it cannot be written. What was there is as it was.
    """
    target = course.folder("submitted") / handin.student / handin.assignment
    if (target.is_symlink() or target.parent.is_symlink() or not target.is_dir()) and os.path.lexists(target):
        raise CannotGrade(f"{target.relative_to(course.root)} is a link or a file, where a student's folder should be", "move it away")
    now, old = digest(files_in(made)), ledger.students.get(handin.student)
    there = digest(files_in(target)) if target.is_dir() else None
    kept = KeptHandIn(
        now, handin.platform, handin.prefix, handin.number, handin.uploads, handin.at, handin.upload, handin.marked_late, old.before if old else []
    )
    if there is None:
        became = PlacingResult.NEW
    elif there == now:
        became = PlacingResult.SAME
    elif now in kept.before:
        became = PlacingResult.EARLIER
    else:
        is_later = _is_later(handin, kept, target, old if old and old.digest == there else None)
        became = (
            PlacingResult.LATER
            if is_later or (is_later is None and is_newer)
            else PlacingResult.EARLIER
            if is_later is False
            else PlacingResult.UNKNOWN
        )
    if became in (PlacingResult.NEW, PlacingResult.LATER):
        if there is not None:
            keep_earlier(ledger.folder / EARLIER / handin.student / there[:12], target, scratch)
            kept.before = [*kept.before, there]
        _swap(target, made, scratch)
    if became is not PlacingResult.EARLIER and became is not PlacingResult.UNKNOWN:
        ledger.students[handin.student] = kept
    return became


def _is_later(handin: HandIn, new: KeptHandIn, target: Path, old: KeptHandIn | None) -> bool | None:
    """Whether a hand-in is later than the one that is there; None where nothing tells.

    Times that are known decide, then Canvas's numbers of files, then the dates that Moodle's or Canvas's archives give to the student's
    files: an archive that was made later, of the same platform, holds no earlier hand-in.
    """
    if (told := later(handin.time, time_of(target))) is not None:
        return told
    if old is None or old.platform != new.platform:
        return None
    if new.upload and old.upload and new.upload != old.upload:
        return new.upload > old.upload
    if new.at is None or old.at is None:
        return None
    apart = (datetime.datetime(*new.at) - datetime.datetime(*old.at)).total_seconds()
    return None if abs(apart) <= SECONDS_OF_ZIP else apart > 0


def time_of(folder: Path) -> datetime.datetime | None:
    """When a hand-in came, in UTC, as nbgrader reads it; None where that is not known."""
    try:
        return parse_utc((folder / "timestamp.txt").read_text(encoding="utf-8").strip() or None)
    except (OSError, UnicodeError, ValueError, ParserError, OverflowError):
        return None


def keep_earlier(place: Path, folder: Path, scratch: Path) -> None:
    """Keep a hand-in that is about to be replaced where earlier ones are, whole or not at all. Its files take no more room than before."""
    if not place.exists():
        copy = scratch / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy, symlinks=True, copy_function=_link)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(copy, place)


def _swap(target: Path, made: Path, scratch: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    old = scratch / "old"
    shutil.rmtree(old, ignore_errors=True)
    with contextlib.suppress(FileNotFoundError):
        os.replace(target, old)
    try:
        os.replace(made, target)
    except BaseException:
        if old.exists():
            os.replace(old, target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _link(file: str | Path, target: str | Path) -> None:
    try:
        os.link(file, target)
    except OSError:  # on another disk, or a system without links
        shutil.copyfile(file, target)


def _silent() -> logging.Logger:
    log = logging.Logger("nbgrader")  # nobody hears it
    log.addHandler(logging.NullHandler())
    return log


@contextlib.contextmanager
def scratch_folder(course: Course) -> Iterator[Path]:
    """A folder of ours beside `submitted/`, for one run at a time. What a run left that was killed is cleared away.

    Raises:
        CannotGrade: another run is collecting at this moment.
    """
    place = course.folder("submitted").resolve().parent
    place.mkdir(parents=True, exist_ok=True)
    with (place / ".collect.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CannotGrade("another `collect` is at work in this course", "wait until it has ended, then type the same command again") from error
        scratch = place / ".collecting"
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        try:
            yield scratch
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
