"""nbgrader's collect for an exchange where students write: what one of them puts there costs no other one anything, and shows nobody a file."""

from __future__ import annotations

import os
import pwd
import re
import secrets
import shutil
import stat
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default import ExchangeCollect

BELONGS_TO_NOBODY = ""
SECRET = re.compile(r"[0-9a-f]{128}")  # as nbgrader's submit makes it


class TooLarge(Exception):
    """A submission is larger than nbgrader takes."""


class CollectOwn(ExchangeCollect):
    """Collects only folders that belong to the student whom they name, and of them only plain files of that student.

    nbgrader itself warns and then takes what a student has put there in the name of another one; it follows links, so a link to the
    instructor's files would be graded beside the student's cells, and printed in the feedback; and one name that it cannot read ends the
    collecting for all. Where students are no system users, `c.ExchangeCollect.check_owner = False` takes folders and files of any owner.

    Switch it on with `c.ExchangeFactory.collect = "examiner.nbgrader_steps.collecting.CollectOwn"`.
    """

    def init_src(self) -> None:
        """Find the newest submission of each student among those that are the student's own."""
        super().init_src()
        self.src_records: list[dict[str, Any]] = [record for record in self.src_records if record["username"] != BELONGS_TO_NOBODY]

    def _path_to_record(self, path: str) -> dict[str, Any]:
        """What a folder's name says; of nobody, when it says nothing or is not true."""
        name = os.path.basename(path)
        nobody = {"username": BELONGS_TO_NOBODY, "filename": name, "timestamp": datetime.min}
        try:
            record: dict[str, Any] = super()._path_to_record(path)
        except (ExchangeError, ValueError, OverflowError):
            self.log.warning(f"{name!r} is no submission: its name has no time that can be read. It stays in the exchange and is not collected.")
            return nobody
        about = os.lstat(path)
        if not stat.S_ISDIR(about.st_mode):
            self.log.warning(f"{name!r} is no submission: it is not a folder. It stays in the exchange and is not collected.")
            return nobody
        if self.check_owner and record["username"] != (owner := _name(about.st_uid)):
            self.log.warning(f"{name!r} names {record['username']}, but {owner} has put it there. It is not collected. Next: ask {owner}.")
            return nobody
        return record

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        """Copy a submission, without links and what else is no plain file of the student; a submission that cannot be copied ends nothing."""
        with tempfile.TemporaryDirectory() as scratch:
            own = Path(scratch, "submission")
            try:
                for left_out in copy_plain_files(Path(src), own, self.check_owner, 1000 * self.coursedir.max_dir_size):
                    self.log.warning(f"{src}: {left_out!r} is not collected, because it is a link, no file, or not the student's own.")
                _complete(own, self._path_to_record(src)["timestamp"].replace(tzinfo=UTC).strftime(self.timestamp_format))
                super().do_copy(str(own), dest)
            except (OSError, TooLarge) as error:
                shutil.rmtree(dest, ignore_errors=True)
                self.log.error(f"{src} could not be collected: {error}. Next: ask for a submission that can be read and is smaller.")


def copy_plain_files(source: Path, target: Path, own: bool, most: int) -> list[str]:
    """Copy a folder that its owner may change meanwhile: no link is followed, at any moment.

    Args:
        source: the folder.
        target: where to; not there yet.
        own: whether only files of the folder's owner count.
        most: bytes.

    Returns:
        The names of what was left out, within the folder.

    Raises:
        OSError: it cannot be read.
        TooLarge: there is more than that.
    """
    left_out, copied, owner = [], 0, os.lstat(source).st_uid
    for folder, folders, files, descriptor in os.fwalk(source, follow_symlinks=False):
        place = Path(folder).relative_to(source)
        (target / place).mkdir()
        for name in files + [name for name in folders if os.path.islink(os.path.join(folder, name))]:
            opened = _open_plain(name, descriptor, owner if own else None)
            if opened is None:
                left_out.append(str(place / name))
                continue
            with open(opened, "rb") as file, (target / place / name).open("wb") as copy:
                copied += os.fstat(opened).st_size
                if copied > most:
                    raise TooLarge(f"it is larger than {most} bytes")
                shutil.copyfileobj(file, copy)
    return left_out


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


def _complete(submission: Path, timestamp: str) -> None:
    """Give a submission the two small files that nbgrader's submit writes, if a student has spoilt them: without them nobody gets feedback."""
    time, secret = submission / "timestamp.txt", submission / "submission_secret.txt"
    time.write_text(timestamp, encoding="utf-8")
    try:
        whole = SECRET.fullmatch(secret.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        whole = None
    if not whole:
        secret.write_text(secrets.token_hex(64), encoding="utf-8")


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"number {uid}"
