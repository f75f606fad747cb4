"""Where a report's pages go: a folder of their own, written as a whole. Nothing that a report has not written is ever removed."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from examiner.wire.errors import CannotGrade

LIST = "written-by-examiner.txt"  # the names of a report's files: these may be replaced
HEAD = "A report of the examiner wrote these files. It replaces them when it is written again.\n"
ELSEWHERE = "choose a folder that does not exist yet, or move what is in this one"


def put(folder: Path, files: Mapping[str, str]) -> None:
    """Write `files` into `folder`, in place of an older report there. Who reads meanwhile sees the older one or the new one.

    Raises:
        CannotGrade: the folder holds something that no report wrote, or cannot be written. Nothing of it was changed.
    """
    try:
        older = _written(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".report-", dir=folder.parent))
        try:
            _fill(aside / "new", files)
            if older is None:
                os.replace(aside / "new", folder)
            else:
                _swap(folder, aside)
        finally:
            _remove(aside / "new", [*files, LIST])
            _remove(aside / "old", [*(older or []), LIST])
            with contextlib.suppress(OSError):
                aside.rmdir()
    except OSError as error:
        why = f"the report cannot be written to {folder}: {error.strerror or error}"
        raise CannotGrade(why, "make room there, or choose another folder") from error


def _written(folder: Path) -> list[str] | None:
    """The files of the report that is there; None where nothing is there or an empty folder."""
    if not os.path.lexists(folder):
        return None
    if folder.is_symlink() or not folder.is_dir():
        raise CannotGrade(f"{folder} is there already, and it is not a folder", ELSEWHERE)
    there = sorted(os.listdir(folder))
    if not there:
        return None
    known: set[str] = set()
    if (folder / LIST).is_file() and not (folder / LIST).is_symlink():
        known = {LIST, *(folder / LIST).read_text(encoding="utf-8", errors="replace").removeprefix(HEAD).splitlines()}
    if others := [name for name in there if name not in known or (folder / name).is_symlink() or not (folder / name).is_file()]:
        raise CannotGrade(f"{folder} holds something else than a report: {others[0]!r}", ELSEWHERE)
    return there


def _fill(folder: Path, files: Mapping[str, str]) -> None:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    (folder / LIST).write_text(HEAD + "".join(f"{name}\n" for name in files), encoding="utf-8")


def _swap(folder: Path, aside: Path) -> None:
    os.replace(folder, aside / "old")
    try:
        os.replace(aside / "new", folder)
    except BaseException:
        os.replace(aside / "old", folder)
        raise


def _remove(folder: Path, names: list[str]) -> None:
    """Remove a report's files, and the folder if nothing else is in it."""
    with contextlib.suppress(OSError):
        for name in names:
            (folder / name).unlink(missing_ok=True)
        folder.rmdir()
