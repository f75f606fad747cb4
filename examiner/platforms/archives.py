"""Zip and tar files of anybody, read so that nothing of them leaves its folder and none takes more memory or disk than it may."""

from __future__ import annotations

import contextlib
import stat
import struct
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, TypeAlias

from examiner.wire.errors import CannotGrade
from examiner.wire.limits import MB

ZIP, TAR = (".zip",), (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
CLOSED = (".7z", ".rar", ".gz", ".bz2", ".xz", ".z", ".lz", ".lzma", ".zst", ".zipx")  # what is not unpacked here
END, END_64, LOCATOR_64 = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"  # where a zip file's list of entries is described
ENCRYPTED, UTF8 = 0x1, 0x800  # flags of an entry
DENSE = 100  # times smaller than what is in it: no notebook is
Stamp: TypeAlias = tuple[int, int, int, int, int, int]  # year, month, day, hour, minute, second


@dataclass(frozen=True)
class Limits:
    """What an archive may hold: files, bytes of one, bytes in all, and bytes of its list of entries."""

    files: int
    file: int
    total: int
    listing: int


@dataclass(frozen=True)
class Entry:
    """One file of an archive. `refused` and `advice` say why it is not taken, and what to do; `at` is the date that the archive gives."""

    path: PurePosixPath
    size: int
    at: Stamp | None
    refused: str = ""
    advice: str = ""


Opened: TypeAlias = Iterator[tuple[Entry, IO[bytes] | None]]


def is_archive(name: str) -> bool:
    """Whether a file of this name is unpacked."""
    return name.lower().endswith(ZIP + TAR)


def is_closed(name: str) -> bool:
    """Whether a file of this name is an archive of a kind that is not unpacked."""
    return name.lower().endswith(CLOSED) and not is_archive(name)


def entries(file: Path, name: str, limits: Limits) -> Opened:
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


def _zip(file: Path, limits: Limits) -> Opened:
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
                yield Entry(entry.path, 0, entry.at, "it cannot be unpacked: damaged, or packed in a way of its own", "ask for it again"), None
                continue
            with content:
                yield entry, content


def _zip_entry(info: zipfile.ZipInfo, limits: Limits) -> Entry:
    name = info.filename if info.flag_bits & UTF8 else _decoded(info.filename)
    path, refused, advice = _inside(name)
    mode = info.external_attr >> 16
    if not refused and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        refused, advice = "it is a link, and none is followed", "ask for the file itself"
    elif not refused and info.flag_bits & ENCRYPTED:
        refused, advice = "it is encrypted", "unpack it with its password, then collect the folder"
    elif not refused and info.file_size > limits.file:
        refused, advice = f"it would have {info.file_size // MB} MB; the largest file that is taken has {limits.file // MB}", "ask for a smaller one"
    return Entry(path, info.file_size, info.date_time if _is_date(info.date_time) else None, refused, advice)


def _tar(file: Path, limits: Limits) -> Opened:
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
            yield Entry(path, info.size, None, refused, advice), content


def _require_small(count: int, total: int, packed: int, limits: Limits) -> None:
    if count > limits.files:
        raise CannotGrade(f"it holds {count} files; {limits.files} are the most", "ask for the notebook alone")
    if total > limits.total:
        raise CannotGrade(f"it would unpack to {total // MB} MB; {limits.total // MB} are the most", "ask for the notebook alone")
    if total > limits.file and total > DENSE * packed:
        raise CannotGrade(f"it would unpack to {total // max(packed, 1)} times its size, as no notebooks do", "look at what is in it, with care")


def _require_short_listing(file: Path, limits: Limits) -> None:
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
