"""nbgrader's collect for an exchange where students write: what one of them puts there costs no other one anything, and shows nobody a file."""

from __future__ import annotations

import hashlib
import os
import pwd
import re
import shutil
import stat
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default import ExchangeCollect

from nbjudge._common.settings import temporarily
from nbjudge._nbgrader.student_files import CLOSED, LINK, NOT_PLAIN, FileLimits, LeftOut, StudentFiles, look

BELONGS_TO_NOBODY = ""
TIMESTAMP = "timestamp.txt"  # nbgrader's submit writes it after a submission's own files
SECRET = "submission_secret.txt"  # and this one last, in its newer versions
A_SECRET = re.compile(r"[0-9a-f]{128}")  # as nbgrader's submit makes it


NBGRADERS = 1000  # bytes that are left for the two files of nbgrader's own, which count for its bounds, too
NOT_OWN = "not the student's own", "ask the student for the file itself"
ODD = LINK, NOT_PLAIN, CLOSED, NOT_OWN


class NotCollected(Exception):
    """A submission is of a kind that is not collected, in words that follow "it"."""


class CollectOwn(ExchangeCollect):
    """Collects only folders that belong to the student whom they name, and of them only plain files of that student.

    nbgrader itself warns and then takes what a student has put there in the name of another one; it follows links, so a link to the
    instructor's files would be graded beside the student's cells, and printed in the feedback; and one name that it cannot read ends the
    collecting for all. Where students are no system users, `c.ExchangeCollect.check_owner = False` takes folders and files of any owner.

    `nbjudge collect` and `nbjudge watch` use it. For nbgrader's own commands and the formgrader, switch it on with
    `c.ExchangeFactory.collect = "nbjudge.CollectOwn"`.

    Attributes:
        refused: why folders of the exchange were not collected, by their names.
    """

    def init_src(self) -> None:
        """Find the newest submission of each student among those that are the student's own."""
        self.refused: dict[str, str] = {}
        super().init_src()
        self.src_records: list[dict[str, Any]] = [record for record in self.src_records if record["username"] != BELONGS_TO_NOBODY]

    def copy_files(self) -> None:
        """Copy what `init_src` found. nbgrader's own look at the owner, which takes a copied exchange for a fraud, is not needed any more."""
        self._is_checked = self.check_owner
        limits = FileLimits.of(self.coursedir)
        self._limits = replace(limits, total=limits.total - NBGRADERS)
        chosen, self.src_records = self.src_records, []
        for record in chosen:  # nbgrader removes what was collected before, and then copies
            try:
                look_over(Path(self.inbound_path, record["filename"]), self._limits)
                self.src_records.append(record)
            except NotCollected as why:
                self._not_collected(record, why)
        if self.src_records or not chosen:
            with temporarily(self, check_owner=False):
                super().copy_files()

    def _not_collected(self, record: dict[str, Any], why: NotCollected) -> None:
        self.refused[record["filename"]] = f"it {why}"
        self.log.error(f"{os.path.join(self.inbound_path, record['filename'])} is not collected: it {why}. Next: ask for another submission.")

    def _path_to_record(self, path: str) -> dict[str, Any]:
        """What a folder's name says; of nobody, when it says nothing or is not true."""
        name = os.path.basename(path)
        try:
            record: dict[str, Any] = super()._path_to_record(path)
        except (ExchangeError, ValueError, OverflowError):
            return self._refuse(name, "its name has no time that can be read")
        if why := not_own(path, record["username"], self.check_owner):
            return self._refuse(name, why)
        return record

    def _refuse(self, name: str, why: str) -> dict[str, Any]:
        self.refused[name] = why
        self.log.warning(f"{name!r} is not collected: {why}. It stays in the exchange. Next: look who submitted it.")
        return {"username": BELONGS_TO_NOBODY, "filename": name, "timestamp": datetime.min}

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        """Copy a submission, without links and what else is no plain file of the student; a submission that cannot be copied ends nothing."""
        record = self._path_to_record(src)
        with tempfile.TemporaryDirectory() as scratch:
            own = Path(scratch, "submission")
            try:
                left_out = copy_plain_files(Path(src), own, self._is_checked, self._limits)
                _complete(own, record["filename"], record["timestamp"].replace(tzinfo=UTC).strftime(self.timestamp_format))
                super().do_copy(str(own), dest)
            except NotCollected as why:
                self._not_collected(record, why)
                return
            except OSError:  # of this machine: nothing is left half copied
                shutil.rmtree(dest, ignore_errors=True)
                raise
        for name in left_out.because(*ODD):
            self.log.warning(f"{name!r} of {record['username']} is not collected, because it is a link, no file, or not the student's own")
        for sentence in left_out.told(but=ODD):
            self.log.warning(f"{sentence} ({record['username']}, {record['filename']})")
        if self._is_checked and (owner := _name(os.lstat(src).st_uid)) != record["username"]:
            self.log.warning(f"its folder in the exchange belongs to {owner}, who collects: whether {record['username']} submitted it cannot be told")


def not_own(folder: str, student: str, is_checked: bool) -> str:
    """Why a folder of the exchange is no submission of the student whom it names; "" where it is one.

    What belongs to whoever collects is taken: a copy of an exchange belongs to whoever made it, and no student can give a folder away.

    Args:
        is_checked: whether it matters whose it is.

    Raises:
        OSError: it is not there any more.
    """
    about = os.lstat(folder)
    if not stat.S_ISDIR(about.st_mode):
        return "it is not a folder"
    if is_checked and about.st_uid != os.geteuid() and student != (owner := _name(about.st_uid)):
        return f"it names {student}, but {owner} has put it there"
    return ""


def look_over(source: Path, limits: FileLimits) -> StudentFiles:
    """What of a submission is to be collected.

    Raises:
        NotCollected: it cannot be read, or one of its notebooks is too large.
    """
    found = look(source, limits, is_hand_in=True)
    for error in found.closed:
        _unreadable(error)
    for name in sorted(path.name for path in source.glob("*.ipynb")):
        if (why := found.left_out.why(name)) and name not in found.left_out.because(*ODD):
            raise NotCollected(f"cannot be collected without {name}: {why}")
    return found


def copy_plain_files(source: Path, target: Path, own: bool, limits: FileLimits) -> LeftOut:
    """Copy a folder that its owner may change meanwhile: no link is followed, at any moment.

    Args:
        source: the folder.
        target: where to; not there yet.
        own: whether only files of the folder's owner count.
        limits: how large the files may be; what they do not allow is left out.

    Returns:
        What was left out.

    Raises:
        NotCollected: as `look_over`, or it has grown meanwhile.
        OSError: it cannot be written.
    """
    found, owner = look_over(source, limits), os.lstat(source).st_uid
    wanted, folders, copied = set(found.files), set(found.folders), 0
    for folder, below, files, descriptor in os.fwalk(source, onerror=_unreadable, follow_symlinks=False):
        place = Path(folder).relative_to(source)
        (target / place).mkdir()
        below[:] = [name for name in below if str(place / name) in folders]
        for name in (name for name in files if str(place / name) in wanted):
            opened = _open_plain(name, descriptor, owner if own else None)
            if opened is None:
                found.left_out.add(str(place / name), NOT_OWN)
                continue
            with open(opened, "rb") as file, (target / place / name).open("wb") as copy:
                content = _read(file, min(limits.file, limits.total - copied) + 1)
                copied += len(content)
                if len(content) > limits.file or copied > limits.total:
                    raise NotCollected("has grown while it was copied")
                copy.write(content)
    return found.left_out


def _read(file: BinaryIO, most: int) -> bytes:
    """What a file has, but not more than that: it may grow meanwhile."""
    try:
        return file.read(most)
    except OSError as error:
        raise NotCollected(f"cannot be read ({error.strerror})") from error


def _unreadable(error: OSError) -> None:
    raise NotCollected(f"has a folder that cannot be read ({error.strerror})") from error


def _open_plain(name: str, folder: int, owner: int | None) -> int | None:
    """A descriptor of a plain file, of this owner if one is given; else None."""
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return None
    about = os.fstat(descriptor)
    if stat.S_ISREG(about.st_mode) and owner in (None, about.st_uid):
        return descriptor
    os.close(descriptor)
    return None


def _complete(submission: Path, name: str, timestamp: str) -> None:
    """Give a submission the two small files that nbgrader's submit writes, if a student has spoilt them: without them nobody gets feedback.

    The secret is made of the folder's name, which nobody else can list: the same each time that it is collected.
    """
    (submission / TIMESTAMP).write_text(timestamp, encoding="utf-8")
    secret = submission / SECRET
    try:
        whole = A_SECRET.fullmatch(secret.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        whole = None
    if not whole:
        secret.write_text(hashlib.sha512(os.fsencode(name)).hexdigest(), encoding="utf-8")


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"number {uid}"
