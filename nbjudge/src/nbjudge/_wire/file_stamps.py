"""Whether a file is still what it was when it was looked at last."""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import dataclass

COARSE_NS = 20_000_000  # Linux before 6.13 gives all that is written in up to 10 ms one time


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What a file looked like. The digest is there where a later change might have the same time."""

    modified: int
    size: int
    number: int
    digest: bytes | None = None


def stamp_of(place: str) -> FileStamp:
    """The file as it is now. Raises `OSError`."""
    about = os.stat(place)
    is_young = about.st_mtime_ns > time.time_ns() - COARSE_NS
    return FileStamp(about.st_mtime_ns, about.st_size, about.st_ino, _digest(place) if is_young else None)


def is_unchanged(place: str, before: FileStamp) -> bool:
    """Whether the file is as it looked. Raises `OSError`."""
    about = os.stat(place)
    if (about.st_mtime_ns, about.st_size, about.st_ino) != (before.modified, before.size, before.number):
        return False
    return before.digest is None or _digest(place) == before.digest


def _digest(place: str) -> bytes:
    with open(place, "rb") as file:
        return hashlib.file_digest(file, "blake2b").digest()
