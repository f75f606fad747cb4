"""Archives of anybody, read so that nothing of them leaves its folder and none takes more than it may. FROM is never changed."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path, PurePosixPath
from typing import IO, TypeAlias

from nbjudge._common.signals import pause
from nbjudge._wire.errors import CannotGrade
from nbjudge._wire.limits import MB

ZIP, TAR = (".zip",), (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
CLOSED = (".7z", ".rar", ".gz", ".bz2", ".xz", ".z", ".lz", ".lzma", ".zst", ".zipx")  # what is not unpacked here
END, END_64, LOCATOR_64 = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"  # where a zip file's list of entries is described
ENCRYPTED, UTF8 = 0x1, 0x800  # flags of an entry
DENSE = 100  # times smaller than what is in it: no notebook is
Stamp: TypeAlias = tuple[int, int, int, int, int, int]  # year, month, day, hour, minute, second


@dataclass(frozen=True)
class ArchiveLimits:
    """What an archive may hold: files, bytes of one, bytes in all, and bytes of its list of entries."""

    files: int
    file: int
    total: int
    listing: int


@dataclass(frozen=True)
class ArchiveEntry:
    """One file of an archive. `refused` and `advice` say why it is not taken, and what to do; `at` is the date that the archive gives."""

    path: PurePosixPath
    size: int
    at: Stamp | None
    refused: str = ""
    advice: str = ""


Opened: TypeAlias = Iterator[tuple[ArchiveEntry, IO[bytes] | None]]


def is_archive(name: str) -> bool:
    """Whether a file of this name is unpacked."""
    return name.lower().endswith(ZIP + TAR)


def is_closed(name: str) -> bool:
    """Whether a file of this name is an archive of a kind that is not unpacked."""
    return name.lower().endswith(CLOSED) and not is_archive(name)


def entries(file: Path, name: str, limits: ArchiveLimits) -> Opened:
    """Each file of an archive with its content, open until the next is asked for; None in its place where the entry is refused.

    Args:
        file: where the archive lies.
        name: what it is called, which decides its kind.

    Raises:
        CannotGrade: it cannot be opened, or it is more than it may be. What was yielded before counts for nothing.
    """
    try:
        yield from _zip(file, limits) if name.lower().endswith(ZIP) else _tar(file, limits)
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, struct.error, NotImplementedError, UnicodeError, ValueError) as error:
        raise CannotGrade("it is damaged or cut off, or no archive at all", "download it again, or ask for it again") from error


def _zip(file: Path, limits: ArchiveLimits) -> Opened:
    _require_short_listing(file, limits)
    with zipfile.ZipFile(file) as archive:
        infos = [info for info in archive.infolist() if not info.is_dir()]
        if infos and all(info.flag_bits & ENCRYPTED for info in infos):
            raise CannotGrade("it is encrypted", "unpack it with its password, then collect the folder")
        _require_small(len(infos), sum(info.file_size for info in infos if info.file_size <= limits.file), file.stat().st_size, limits)
        for info in infos:
            entry = _zip_entry(info, limits)
            if entry.refused:
                yield entry, None
                continue
            try:
                content = archive.open(info)
            except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError):
                yield ArchiveEntry(entry.path, 0, entry.at, "it cannot be unpacked: damaged, or packed in a way of its own", "ask for it again"), None
                continue
            with content:
                yield entry, content


def _zip_entry(info: zipfile.ZipInfo, limits: ArchiveLimits) -> ArchiveEntry:
    name = info.filename if info.flag_bits & UTF8 else _decoded(info.filename)
    path, refused, advice = _inside(name)
    mode = info.external_attr >> 16
    if not refused and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        refused, advice = "it is a link, and none is followed", "ask for the file itself"
    elif not refused and info.flag_bits & ENCRYPTED:
        refused, advice = "it is encrypted", "unpack it with its password, then collect the folder"
    elif not refused and info.file_size > limits.file:
        refused, advice = f"it would have {info.file_size // MB} MB; the largest file that is taken has {limits.file // MB}", "ask for a smaller one"
    return ArchiveEntry(path, info.file_size, info.date_time if _is_date(info.date_time) else None, refused, advice)


def _tar(file: Path, limits: ArchiveLimits) -> Opened:
    count = total = 0
    with tarfile.open(file, "r:*") as archive:
        for info in archive:
            count, total = count + 1, total + info.size
            _require_small(count, total, file.stat().st_size, limits)
            path, refused, advice = _inside(info.name)
            if info.isdir():
                continue
            if not refused and not info.isfile():
                refused, advice = "it is a link or no file, and none is followed", "ask for the file itself"
            content = None if refused else archive.extractfile(info)
            yield ArchiveEntry(path, info.size, None, refused, advice), content


def _require_small(count: int, total: int, packed: int, limits: ArchiveLimits) -> None:
    if count > limits.files:
        raise CannotGrade(f"it holds {count} files; {limits.files} are the most", "ask for the notebook alone")
    if total > limits.total:
        raise CannotGrade(f"it would unpack to {total // MB} MB; {limits.total // MB} are the most", "ask for the notebook alone")
    if total > limits.file and total > DENSE * packed:
        raise CannotGrade(f"it would unpack to {total // max(packed, 1)} times its size, as no notebooks do", "look at what is in it, with care")


def _require_short_listing(file: Path, limits: ArchiveLimits) -> None:
    """Refuse a zip whose list of entries alone, which is read into memory as a whole, is too long."""
    size = file.stat().st_size
    with file.open("rb") as opened:
        opened.seek(max(0, size - 66_000))
        tail = opened.read()
        at = tail.rfind(END)
        if at < 0 or len(tail) < at + 22:
            raise CannotGrade("it is damaged or cut off, or no archive at all", "download it again, or ask for it again")
        [listing] = struct.unpack_from("<L", tail, at + 12)
        if tail[max(0, at - 20) : at].startswith(LOCATOR_64):
            [where] = struct.unpack_from("<Q", tail, at - 12)
            opened.seek(min(where, size))
            record = opened.read(56)
            if record.startswith(END_64):
                [listing] = struct.unpack_from("<Q", record, 40)
    if listing > limits.listing:
        raise CannotGrade("it holds too many files to list", "ask for the notebook alone")


def _inside(name: str) -> tuple[PurePosixPath, str, str]:
    """The path of an entry, made of names alone, and why it is none to take where it leads elsewhere."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    leads_out = name.startswith(("/", "\\")) or ".." in parts or (parts and len(parts[0]) == 2 and parts[0][1] == ":") or "\0" in name
    path = PurePosixPath(*[part.replace("\0", "_") for part in parts if part != ".."] or ["file"])
    return (path, "its name leads out of the archive", "look at who made it, and ask for it again") if leads_out else (path, "", "")


def _decoded(name: str) -> str:
    """A name without a note of how it is written: old programs mean code page 437, many others UTF-8."""
    with contextlib.suppress(UnicodeError):
        return name.encode("cp437").decode("utf-8")
    return name


def _is_date(at: Stamp) -> bool:
    return at > (1980, 1, 1, 23, 59, 59)  # what programs write that do not know the date


WHOLE = ArchiveLimits(files=1_000_000, file=256 * MB, total=200_000 * MB, listing=256 * MB)  # of FROM itself; the room on the disk is asked, too
OWN = ArchiveLimits(files=1000, file=256 * MB, total=256 * MB, listing=MB)  # of an archive that a student handed in
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


def _unpacked(file: Path, name: str, limits: ArchiveLimits, into: Path, names: Iterator[int], result: Unpacked) -> Iterator[Found]:
    free = shutil.disk_usage(into).free - ROOM
    # twice: what is unpacked is copied once more on its way to submitted/
    limits = ArchiveLimits(limits.files, limits.file, min(limits.total, max(free // 2, 0)), limits.listing)
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
