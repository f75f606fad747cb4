"""What lies in FROM, file by file: a folder is read where it is, archives are unpacked into a folder of ours. FROM is never changed."""

from __future__ import annotations

import os
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path, PurePosixPath
from typing import IO

from examiner.classroom.stopping import pause
from examiner.platforms.archives import Limits, Stamp, entries, is_archive, is_closed
from examiner.wire.errors import CannotGrade
from examiner.wire.limits import MB

WHOLE = Limits(files=1_000_000, file=256 * MB, total=200_000 * MB, listing=256 * MB)  # of FROM itself; the room on the disk is asked, too
OWN = Limits(files=1000, file=256 * MB, total=256 * MB, listing=MB)  # of an archive that a student handed in
DEEPEST = 2  # archives in archives
ROOM = 200 * MB  # that stays free
JUNK = {"__MACOSX", "Thumbs.db", "desktop.ini", "__pycache__"}  # what systems leave beside files; names that begin with a dot, too
LINK = ("it is a symbolic link, and none is followed", "put the file itself in its place")


@dataclass(frozen=True)
class Found:
    """A file of FROM.

    Attributes:
        path: where it lay; for what a student packed, where the student's archive lay.
        inside: the path in the student's own archive, None where there is none.
        file: its content.
        at: the date that FROM, an archive, gives it: in the time of whoever packed it.
    """

    path: PurePosixPath
    inside: PurePosixPath | None
    file: Path
    at: Stamp | None = None


@dataclass(frozen=True)
class Left:
    """Something in FROM that was not collected: where, why, and what to do."""

    where: str
    why: str
    next_step: str


@dataclass
class Unpacked:
    """All files of FROM, and what could not be read."""

    found: list[Found] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)


def unpack(source: Path, into: Path) -> Unpacked:
    """Read FROM.

    Args:
        source: a folder, an archive, or one file.
        into: an empty folder of ours, for what is unpacked.

    Raises:
        CannotGrade: there is no such thing, or nothing of it can be read.
    """
    result, names = Unpacked(), count()
    try:
        if source.is_dir():
            for path, file in _walk(source, result):
                _take(Found(path, None, file), into, names, result)
        elif source.is_file() and is_archive(source.name):
            for found in _unpacked(source, source.name, WHOLE, into, names, result):
                _take(found, into, names, result)
        elif source.is_file() and is_closed(source.name):
            raise CannotGrade(f"{source} is an archive of a kind that is not unpacked here", "unpack it, then collect FROM=the folder")
        elif source.is_file():
            _take(Found(PurePosixPath(source.name), None, source), into, names, result)
        else:
            raise CannotGrade(f"there is no {source}", "say where the hand-ins lie: FROM=a zip file or a folder")
    except PermissionError as error:
        raise CannotGrade(f"{error.filename} cannot be read ({error.strerror})", "mend its permissions, then type the same command again") from error
    return result


def _walk(folder: Path, result: Unpacked) -> Iterator[tuple[PurePosixPath, Path]]:
    def refuse(error: OSError) -> None:
        result.left.append(Left(str(error.filename), f"it cannot be read ({error.strerror})", "mend its permissions, then collect again"))

    for where, folders, names in os.walk(folder, onerror=refuse):
        for name in list(folders):
            if Path(where, name).is_symlink():
                folders.remove(name)
                result.left.append(Left(str(Path(where, name).relative_to(folder)), *LINK))
        folders[:] = sorted(name for name in folders if not _is_junk(name))
        for name in sorted(names):
            file = Path(where, name)
            path = PurePosixPath(*file.relative_to(folder).parts)
            if _is_junk(name):
                continue
            kind = stat.S_IFMT(file.lstat().st_mode)
            if kind == stat.S_IFLNK:
                result.left.append(Left(str(path), *LINK))
            elif kind == stat.S_IFREG and not os.access(file, os.R_OK):
                result.left.append(Left(str(path), "it cannot be read", "mend its permissions, then collect again"))
            elif kind == stat.S_IFREG:
                yield path, file


def _take(found: Found, into: Path, names: Iterator[int], result: Unpacked, depth: int = 0) -> None:
    """Add a file; of an archive in FROM, which is a student's, what is in it."""
    pause()
    name = (found.inside or found.path).name
    if not is_archive(name):
        result.found.append(found)
        if is_closed(name):
            result.left.append(
                Left(_where(found), "it is an archive of a kind that is not unpacked here", "unpack it by hand, or ask for the notebook itself")
            )
        return
    if depth >= DEEPEST:
        result.left.append(Left(_where(found), "it is an archive in an archive in an archive", "unpack it by hand, or ask for the notebook itself"))
        return
    own = Unpacked()
    try:
        for inner in _unpacked(found.file, name, OWN, into, names, own):
            inside = PurePosixPath(*(found.inside.with_suffix("").parts if found.inside else ()), *inner.path.parts)
            _take(Found(found.path, inside, inner.file, found.at), into, names, own, depth + 1)
        if not own.found and not own.left:
            own.left.append(Left("", "nothing is in it", "ask for the notebook"))
    except CannotGrade as refused:
        own = Unpacked([found], [Left("", refused.why, refused.next_step)])
    result.found += own.found
    result.left += [Left(_where(found) + (f"/{left.where}" if left.where else ""), left.why, left.next_step) for left in own.left]


def _unpacked(file: Path, name: str, limits: Limits, into: Path, names: Iterator[int], result: Unpacked) -> Iterator[Found]:
    free = shutil.disk_usage(into).free - ROOM
    # twice: what is unpacked is copied once more on its way to submitted/
    limits = Limits(limits.files, limits.file, min(limits.total, max(free // 2, 0)), limits.listing)
    for entry, content in entries(file, name, limits):
        if any(_is_junk(part) for part in entry.path.parts):
            continue
        if content is None:
            result.left.append(Left(str(entry.path), entry.refused, entry.advice))
            continue
        target = into / f"{next(names)}{entry.path.suffix[:20]}" if entry.path.suffix.isascii() else into / str(next(names))
        if why := _copied(content, target, limits.file):
            result.left.append(Left(str(entry.path), why, "download the archive again, or ask for the file again"))
            continue
        yield Found(entry.path, None, target, entry.at)


def _copied(content: IO[bytes], target: Path, most: int) -> str:
    """Write a file's content; "" or why it is not whole."""
    left = most
    try:
        with target.open("xb") as file:
            while block := content.read(min(MB, left + 1)):
                left -= len(block)
                if left < 0:
                    target.unlink()
                    return f"it has more than {most // MB} MB"
                file.write(block)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        target.unlink()
        return "it is damaged"
    return ""


def _is_junk(name: str) -> bool:
    return name in JUNK or name.startswith(".")


def _where(found: Found) -> str:
    return str(found.path) if found.inside is None else f"{found.path}/{found.inside}"
