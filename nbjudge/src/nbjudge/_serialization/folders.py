"""Files and folders as bytes, and the versions of what has to be the same on two machines so that they grade alike."""

from __future__ import annotations

import hashlib
import io
import json
import os
import platform
import re
import stat
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import Literal

from nbjudge._wire.errors import Malformed

INDEX = "index"
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # a zip has no earlier time
Kind = Literal["file", "program", "link", "folder"]


@dataclass(frozen=True)
class Entry:
    """One file, link or folder. `content` is the target of a link; a folder has none."""

    kind: Kind
    content: bytes = b""


def checksum(parcel: bytes) -> str:
    """What a parcel is known by: the SHA-256 of its bytes, in hexadecimal digits."""
    return hashlib.sha256(parcel).hexdigest()


def pack(entries: dict[str, Entry]) -> bytes:
    """A parcel of entries, each by its path with slashes, relative to where it will be unpacked."""
    names = sorted(entries)
    about = [[name, entries[name].kind] for name in names]
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for number, name in enumerate(names):
            archive.writestr(zipfile.ZipInfo(str(number), LONG_AGO), entries[name].content)
        archive.writestr(zipfile.ZipInfo(INDEX, LONG_AGO), json.dumps(about))
    return written.getvalue()


def unpack(parcel: bytes) -> dict[str, Entry]:
    """The entries of a parcel.

    Raises:
        Malformed: it is damaged, or no parcel.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(parcel)) as archive:
            about = json.loads(archive.read(INDEX))
            found = {str(name): Entry(kind, archive.read(str(number))) for number, (name, kind) in enumerate(about)}
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, EOFError, NotImplementedError, OSError) as error:
        raise Malformed(f"a parcel is damaged ({type(error).__name__}: {error})") from error
    for name in found:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            raise Malformed("a parcel names a place outside of its folder")
    return found


def read_folder(folder: Path, name: str, leave_out: Callable[[str], bool]) -> dict[str, Entry]:
    """What a folder holds, below `name`. Links stay links; pipes and the like, and what cannot be read, are left out.

    Args:
        leave_out: whether a file or folder of that name is none of it.
    """
    return {f"{name}/{path.relative_to(folder).as_posix()}": entry for path in _below(folder, leave_out) if (entry := _read(path)) is not None}


def write_folder(entries: dict[str, Entry], name: str, into: Path) -> None:
    """Write what `read_folder` found below `name` into a folder, which is made.

    Raises:
        OSError: a file cannot be written.
    """
    into.mkdir(parents=True, exist_ok=True)
    for path, entry in entries.items():
        if not path.startswith(f"{name}/"):
            continue
        target = into / path.removeprefix(f"{name}/")
        if entry.kind == "folder":
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if entry.kind == "link":
            target.symlink_to(os.fsdecode(entry.content))
        else:
            target.write_bytes(entry.content)
            target.chmod(0o755 if entry.kind == "program" else 0o644)


def _below(folder: Path, leave_out: Callable[[str], bool]) -> Iterator[Path]:
    for where, folders, files in os.walk(folder):
        links = [name for name in folders if Path(where, name).is_symlink()]
        folders[:] = sorted(name for name in folders if name not in links and not leave_out(name))
        yield from (Path(where, name) for name in (*folders, *links, *files) if not leave_out(name))


def _read(path: Path) -> Entry | None:
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            return Entry("link", os.fsencode(os.readlink(path)))
        if stat.S_ISDIR(mode):
            return Entry("folder")
        if stat.S_ISREG(mode):
            return Entry("program" if mode & stat.S_IXUSR else "file", path.read_bytes())
    except OSError:
        pass
    return None


HOUSE = Path(__file__).resolve().parent.parent
PROJECT = "nbjudge"
LESSONS = ("torch", "matplotlib", "ipywidgets")  # what kernels import before a student's first cell, besides what the grader needs itself
NAME = re.compile(r"[\w.-]+")
NONE = "none"


def versions(packages: Iterable[str] = ()) -> dict[str, str]:
    """The versions here, by what they are of; "none" for what is not installed.

    Args:
        packages: names of installed projects to look at besides.
    """
    names = dict.fromkeys((*_needed(), *LESSONS, "distributed", *packages))
    return {"Python": platform.python_version(), "the grader": _own_code(), **{name: _version(name) for name in names}}


def differences(here: dict[str, str], there: dict[str, str]) -> list[str]:
    """What `there` has in another version than `here`, in words."""
    return [
        f"{name} {'is not installed' if there.get(name, NONE) == NONE else there[name]} there, and {version} here"
        for name, version in here.items()
        if there.get(name, NONE) != version
    ]


@cache
def _own_code() -> str:
    """A digest of the grader's code, as a commit has one: two graders with the same version number may differ."""
    digest = hashlib.sha256()
    for path in sorted(HOUSE.rglob("*.py")):
        digest.update(f"{path.relative_to(HOUSE).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return f"of code {digest.hexdigest()[:12]}"


@cache
def _needed() -> tuple[str, ...]:
    """The projects that the grader says it needs, without those of its extras."""
    try:
        lines = metadata.requires(PROJECT) or []
    except metadata.PackageNotFoundError:  # it runs from a copy of its folder
        lines = []
    return tuple(found.group() for line in lines if "extra ==" not in line and (found := NAME.match(line)))


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return NONE
