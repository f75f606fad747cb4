"""What students submit to nbgrader's exchange: collected by nbgrader's own steps as soon as it is whole, and put into `submitted/` at once."""

from __future__ import annotations

import contextlib
import logging
import os
import tempfile
from collections import defaultdict
from collections.abc import Callable, Collection
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.exchange import ExchangeFactory
from nbgrader.exchange.default import ExchangeCollect
from nbgrader.utils import parse_utc
from traitlets import Set, Unicode

from nbjudge._common.settings import Watch, temporarily
from nbjudge._common.terminal_text import shown
from nbjudge._course.course import Course
from nbjudge._course.intake import why_no_name
from nbjudge._course.locks import FOLDER
from nbjudge._nbgrader.converters import explain
from nbjudge._nbgrader.exchange_collect import BELONGS_TO_NOBODY, SECRET, TIMESTAMP, CollectOwn, not_own
from nbjudge._watch.scan import Sign, now, sign
from nbjudge._wire.errors import Hindered

Arrived = tuple[datetime, str]  # the time and the name of a folder
Ready = tuple[str, str, frozenset[str], frozenset[str]]  # student, assignment, and the folders of that student's: the whole ones, and all


class CollectWhole(CollectOwn):
    """The collecting of one student's own submission, out of those that are whole."""

    whole = Set(Unicode(), help="Names of the folders in `inbound` that are whole.")

    def _path_to_record(self, path: str) -> dict[str, Any]:
        name = Path(path).name
        if name in self.whole:
            return super()._path_to_record(path)
        return {"username": BELONGS_TO_NOBODY, "filename": name, "timestamp": datetime.min}


class Inbound:
    """The exchange's side of a course, if it has one.

    Args:
        say: hears, once for each, what cannot be collected and why.
    """

    def __init__(self, course: Course, settings: Watch, say: Callable[[str], None]):
        self._course, self._settings, self._say = course, settings, say
        self._factory = ExchangeFactory(config=course.config)
        self._seen: dict[str, tuple[Sign, float]] = {}  # each folder's sign, and since when it is so
        self._done: dict[tuple[str, str], frozenset[str]] = {}
        self._said: set[str] = set()
        self._asks_for_owner = CollectOwn(coursedir=course.folders, config=course.config).check_owner

    @property
    def _folder(self) -> Path | None:
        """Where submissions arrive; None where the course is on no exchange that is a folder."""
        kind = self._factory.collect
        if not self._settings.collect or not issubclass(kind, ExchangeCollect) or not self._course.folders.course_id:
            return None
        folder = Path(kind(coursedir=self._course.folders, config=self._course.config).root, self._course.folders.course_id, "inbound")
        return folder if folder.is_dir() else None

    @property
    def where(self) -> str:
        """The folder in words that follow another folder's name; "" where there is none."""
        return f" and {shown(str(self._folder))}/" if self._folder else ""

    def ready(self, now: float) -> list[Ready]:
        """Those of whom something can be collected that was not, with what may be taken.

        Raises:
            OSError: the folder cannot be read.
        """
        if (inbound := self._folder) is None:
            return []
        found: dict[tuple[str, str], list[Arrived]] = defaultdict(list)  # by student and assignment
        with os.scandir(inbound) as entries:
            for entry in entries:
                parts = entry.name.rsplit("+", 3)
                if len(parts) < 3 or parts[1] not in self._course.lessons or not entry.is_dir(follow_symlinks=False):
                    continue
                try:
                    found[parts[0], parts[1]].append((parse_utc(parts[2]), entry.name))
                except (ValueError, OverflowError):
                    self._tell(entry.path, "its name has no date", "look who submitted it")
        self._seen = {name: self._seen[name] for every in found.values() for _, name in every if name in self._seen}
        ready = []
        for (student, assignment), every in found.items():
            names = frozenset(name for _, name in every)
            if self._done.get((student, assignment)) == names:
                continue
            if not student or student.startswith(".") or why_no_name(student):
                self._tell(f"{inbound}/{min(names)}", "a student of that name cannot be", "look who submitted it")
                self._done[student, assignment] = names
                continue
            whole, is_waiting = self._whole(inbound, sorted(self._own(inbound, student, every), reverse=True), now)
            if is_waiting:
                continue
            if whole:
                ready.append((student, assignment, whole, names))
            else:
                self._done[student, assignment] = names
        return ready

    def _own(self, inbound: Path, student: str, every: list[Arrived]) -> list[Arrived]:
        """Those that are the student's own. Another one's can neither be taken for them nor keep them waiting."""
        own = []
        for time, name in every:
            with contextlib.suppress(OSError):  # gone meanwhile
                if why := not_own(str(inbound / name), student, self._asks_for_owner):
                    self._tell(str(inbound / name), why, "look who submitted it; c.ExchangeCollect.check_owner = False asks no more")
                else:
                    own.append((time, name))
        return own

    def _whole(self, inbound: Path, every: list[Arrived], now: float) -> tuple[frozenset[str], bool]:
        """The submissions that are whole, and whether a newer one may still become so."""
        whole = set()
        for name in [name for _, name in every if self._note(inbound / name, now)]:
            folder = inbound / name
            quiet = now - self._seen[name][1]
            has_all = (folder / TIMESTAMP).is_file() and (folder / SECRET).is_file()
            if has_all and quiet >= self._settings.quiet_seconds:
                whole.add(name)
            elif quiet < self._settings.patient_seconds and not whole:
                return frozenset(), True
            elif (folder / TIMESTAMP).is_file():  # an older nbgrader, which writes no secret
                whole.add(name)
            else:
                self._tell(str(folder), f"its submission was not finished: there is no {TIMESTAMP}", "ask the student to submit again")
        return frozenset(whole), False

    def _note(self, folder: Path, now: float) -> bool:
        """Remember since when a folder is as it is; whether it is there."""
        try:
            seen = sign(folder)
        except OSError:
            return False
        if folder.name not in self._seen or self._seen[folder.name][0] != seen:
            self._seen[folder.name] = seen, now
        return True

    def collect(self, student: str, assignment: str, whole: frozenset[str], names: frozenset[str]) -> None:
        """Have nbgrader collect one student's submission, and put it into `submitted/`, whole or not at all. One that is not newer stays out.

        Raises:
            Hindered, OSError: the machine is in the way; it can be tried again.
        """
        self._collect(student, assignment, whole)
        self._done[student, assignment] = names

    def _collect(self, student: str, assignment: str, whole: Collection[str]) -> None:
        course, folders = self._course, self._course.folders
        target = course.folder("submitted") / student / assignment
        (course.root / FOLDER).mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="collecting-", dir=course.root / FOLDER) as elsewhere:
            with temporarily(folders, submitted_directory=elsewhere, assignment_id=assignment, student_id=student):
                step = CollectWhole(coursedir=folders, config=course.config, whole=set(whole), log=_quiet(heard := _Heard()))
                try:
                    step.init_src()
                    if not step.src_records:
                        return  # it has gone meanwhile
                    record = step.src_records[0]
                    existing = self._collected(target)
                    if existing is not None and (existing == record["timestamp"] if step.before_duedate else existing >= record["timestamp"]):
                        return
                    step.copy_files()
                except Exception as error:  # nbgrader's exchange raises whatever a strange folder makes it
                    trouble = explain([error], "nbgrader cannot collect it", "look at the folder")
                    if isinstance(trouble, Hindered):
                        raise trouble from error
                    self._tell(f"{student}, {assignment}", trouble.why, trouble.next_step)
                    return
            fresh = Path(elsewhere, student, assignment)
            if not fresh.is_dir():
                self._tell(f"{student}, {assignment}", "; ".join(step.refused.values()), "ask for a submission that can be read and is smaller")
                return
            for warning in heard.warnings:
                self._say_once(f"{shown(student)}, {shown(assignment)}: {shown(warning)}.")
            target.parent.mkdir(parents=True, exist_ok=True)
            fresh.chmod(0o755)
            if target.exists():
                os.replace(target, Path(elsewhere, "before"))
            os.replace(fresh, target)

    def _collected(self, target: Path) -> datetime | None:
        """When that which lies in `submitted/` was handed in, if that is known."""
        with contextlib.suppress(Exception):  # whatever a student wrote in place of a date
            return self._course.folders.get_existing_timestamp(str(target))
        return None

    def release(self, student: str, assignment: str) -> str:
        """Have nbgrader put a student's feedback on the exchange; why that was not possible, or "". What came another way has nobody to go to."""
        course = self._course
        if not (course.folder("feedback") / student / assignment / SECRET).is_file():
            return ""
        heard = _Heard()
        with temporarily(course.folders, assignment_id=assignment, student_id=student):
            try:
                step = self._factory.release_feedback(coursedir=course.folders, config=course.config, log=_quiet(heard))
                step.start()
            except Exception as error:  # as above
                trouble = explain([error], "its feedback was not released", f"nbgrader release_feedback {assignment}")
                return f"{trouble.why}. Next: {trouble.next_step}"
        return ""

    def _tell(self, where: str, why: str, next_step: str) -> None:
        self._say_once(f"{shown(where)}: not collected: {shown(why)}. Next: {shown(next_step)}.")

    def _say_once(self, words: str) -> None:
        if words not in self._said:
            self._said.add(words)
            self._say(f"{now()}  {words}")


class _Heard(logging.Handler):
    """Keeps the warnings of one of nbgrader's steps, in one line each."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.warnings: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno == logging.WARNING:
            self.warnings.append(" ".join(record.getMessage().split()))


def _quiet(heard: logging.Handler) -> logging.Logger:
    logger = logging.Logger("nbgrader")  # nobody else hears it
    logger.addHandler(heard)
    return logger
